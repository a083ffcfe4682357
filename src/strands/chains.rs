//! Strands of edges: files of meshes hold curves as pairs of vertices, in any order.

use super::bytes::take_memory;
use crate::head::Budget;

/// The strands that edges make, as indices of vertices.
#[derive(Debug, Default, PartialEq)]
pub struct Chains {
    /// The number of vertices of each strand.
    pub counts: Vec<u32>,
    /// The vertices, strand after strand.
    pub order: Vec<u32>,
}

/// No vertex.
const NONE: u32 = u32::MAX;

/// Joins edges that meet at a vertex. A strand ends where three or more meet. It begins at the end
/// that its edge leaves, or else at the end with the lower number; a ring begins at its lowest.
///
/// The vertices of edges must be below `vertices`.
pub fn join(vertices: usize, edges: &[[u32; 2]], budget: &Budget) -> Result<Chains, String> {
    take_memory(budget, vertices as u64, 16)?;
    take_memory(budget, edges.len() as u64, 24)?;
    let mut degrees = vec![0_u8; vertices];
    for vertex in edges.iter().filter(|[a, b]| a != b).flatten() {
        let degree = &mut degrees[*vertex as usize];
        *degree = degree.saturating_add(1);
    }
    // The edges of each vertex on a strand; where more than two meet, none are kept.
    let mut meeting = vec![[NONE; 2]; vertices];
    for (edge, [a, b]) in edges.iter().enumerate().filter(|(_, [a, b])| a != b) {
        for vertex in [*a as usize, *b as usize] {
            if degrees[vertex] <= 2 {
                let slot = usize::from(meeting[vertex][0] != NONE);
                meeting[vertex][slot] = edge as u32;
            }
        }
    }
    let mut is_used = vec![false; edges.len()];
    let mut chains = Chains::default();
    let mut walk = |start: u32, first: u32| {
        let from = chains.order.len();
        let (mut vertex, mut edge) = (start, first);
        chains.order.push(vertex);
        while edge != NONE && !is_used[edge as usize] {
            is_used[edge as usize] = true;
            let [a, b] = edges[edge as usize];
            vertex = if a == vertex { b } else { a };
            chains.order.push(vertex);
            let [one, other] = meeting[vertex as usize];
            edge = if one == edge { other } else { one };
        }
        match chains.order.len() - from {
            1 => chains.order.truncate(from),
            count => chains.counts.push(count as u32),
        }
    };
    let leaves = |vertex: u32, edge: u32| edges[edge as usize][0] == vertex;
    let all = || (0..vertices as u32).zip(&meeting);
    for is_leaving in [true, false] {
        for (vertex, &[edge, _]) in all().filter(|(vertex, _)| degrees[*vertex as usize] == 1) {
            if leaves(vertex, edge) == is_leaving {
                walk(vertex, edge);
            }
        }
    }
    // Between vertices where more than two meet.
    for (edge, &[a, b]) in edges.iter().enumerate() {
        let is_branch = |vertex: u32| degrees[vertex as usize] > 2;
        if a != b && (is_branch(a) || is_branch(b)) {
            walk(if is_branch(a) { a } else { b }, edge as u32);
        }
    }
    for (vertex, &[edge, _]) in all() {
        if degrees[vertex as usize] == 2 {
            walk(vertex, edge);
        }
    }
    Ok(chains)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Limits;

    fn joined(vertices: usize, edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
        let budget = Budget::new(&Limits::default(), 0);
        let chains = join(vertices, edges, &budget).unwrap();
        let mut rest = &chains.order[..];
        let mut strand = |&count: &u32| {
            let (strand, after) = rest.split_at(count as usize);
            rest = after;
            strand.to_vec()
        };
        chains.counts.iter().map(&mut strand).collect()
    }

    #[test]
    fn edges_in_any_order_are_joined() {
        assert_eq!(joined(4, &[[2, 3], [0, 1], [1, 2]]), [[0, 1, 2, 3]]);
        assert_eq!(joined(3, &[[2, 1], [1, 0]]), [[2, 1, 0]], "as they point");
        assert_eq!(joined(3, &[[1, 0], [1, 2]]), [[0, 1, 2]], "they disagree");
        assert_eq!(joined(5, &[[0, 1], [3, 4]]), [[0, 1], [3, 4]]);
        assert_eq!(joined(2, &[[1, 1]]), [[0; 0]; 0]);
    }

    #[test]
    fn strands_end_where_three_edges_meet() {
        let mut strands = joined(5, &[[0, 1], [1, 2], [2, 3], [2, 4]]);
        strands.sort();
        assert_eq!(strands, [vec![0, 1, 2], vec![3, 2], vec![4, 2]]);
        assert_eq!(
            joined(3, &[[1, 2], [2, 0], [0, 1]]),
            [[0, 2, 1, 0]],
            "a ring"
        );
    }
}
