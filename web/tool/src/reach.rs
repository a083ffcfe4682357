//! Follows what the functions of a program reach: by calls, and by pointers to functions and to data.
//!
//! A pointer is any constant that could be one, so that too much is reached rather than too little.

use anyhow::{Result, bail};
use std::collections::{BTreeSet, HashMap, HashSet};
use walrus::ir::{Const, Load, Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionId, FunctionKind, Module,
    TableId,
};

/// The functions of a module and what each reaches, in the order of the module.
pub struct Program {
    pub functions: Vec<FunctionId>,
    pub is_local: Vec<bool>,
    /// The functions that each one calls.
    pub calls: Vec<HashSet<usize>>,
    /// Functions that others may call from outside.
    pub exported: HashSet<usize>,
    /// The table of functions, and how many places it has.
    pub table: TableId,
    pub table_index: usize,
    pub table_size: u32,
    /// Functions by their places in the table.
    pub places: HashMap<u32, usize>,
    /// The constants of each function.
    constants: Vec<HashSet<u32>>,
    /// The data at the start of the program, and the address of their first byte.
    data: Vec<u8>,
    base: u32,
    /// Addresses in the data that something points to.
    starts: BTreeSet<u32>,
}

impl Program {
    /// Reads the functions, the table and the data of a module.
    ///
    /// # Errors
    ///
    /// Table or data are not of the form that the compiler makes.
    pub fn read(module: &Module) -> Result<Self> {
        let functions: Vec<FunctionId> =
            module.funcs.iter().map(|function| function.id()).collect();
        let number: HashMap<FunctionId, usize> = functions
            .iter()
            .enumerate()
            .map(|(at, &id)| (id, at))
            .collect();
        let mut mentions: Vec<Mentions> = Vec::new();
        for function in module.funcs.iter() {
            let mut found = Mentions::default();
            if let FunctionKind::Local(local) = &function.kind {
                dfs_in_order(&mut found, local, local.entry_block());
            }
            mentions.push(found);
        }
        let Some(table) = module.tables.main_function_table()? else {
            bail!("The program has no table of functions.");
        };
        let mut places = HashMap::new();
        for element in module.elements.iter() {
            let ElementKind::Active {
                table: of,
                offset: ConstExpr::Value(Value::I32(offset)),
            } = &element.kind
            else {
                continue;
            };
            let ElementItems::Functions(items) = &element.items else {
                bail!("The table of functions is not a list of functions.");
            };
            if *of == table {
                places.extend(
                    items
                        .iter()
                        .zip(*offset as u32..)
                        .map(|(id, place)| (place, number[id])),
                );
            }
        }
        let (base, data) = data(module)?;
        let exported = module
            .exports
            .iter()
            .filter_map(|export| match export.item {
                ExportItem::Function(id) => Some(number[&id]),
                _ => None,
            });
        let mut program = Self {
            exported: exported.chain(module.start.map(|id| number[&id])).collect(),
            is_local: module
                .funcs
                .iter()
                .map(|function| matches!(function.kind, FunctionKind::Local(_)))
                .collect(),
            calls: mentions
                .iter()
                .map(|found| found.functions.iter().map(|id| number[id]).collect())
                .collect(),
            constants: mentions.into_iter().map(|found| found.constants).collect(),
            table_size: module.tables.get(table).initial as u32,
            table_index: module
                .tables
                .iter()
                .position(|one| one.id() == table)
                .unwrap_or_default(),
            functions,
            table,
            places,
            data,
            base,
            starts: BTreeSet::new(),
        };
        let words = (program.base..)
            .step_by(4)
            .take(program.data.len() / 4)
            .map(|at| program.word(at));
        let all = program.constants.iter().flatten().copied().chain(words);
        program.starts = all.filter(|&address| program.is_data(address)).collect();
        Ok(program)
    }

    /// Returns the functions that the exports reach, without going through `closed` ones. Those
    /// are left out.
    pub fn reach(&self, closed: &HashSet<usize>) -> HashSet<usize> {
        let mut reached: HashSet<usize> = HashSet::new();
        let mut seen = HashSet::new();
        let mut waiting: Vec<usize> = self.exported.iter().copied().collect();
        while let Some(function) = waiting.pop() {
            if closed.contains(&function) || !reached.insert(function) {
                continue;
            }
            waiting.extend(&self.calls[function]);
            let mut pointers: Vec<u32> = self.constants[function].iter().copied().collect();
            while let Some(pointer) = pointers.pop() {
                waiting.extend(self.places.get(&pointer));
                if self.is_data(pointer) && seen.insert(pointer) {
                    let end = self.starts.range(pointer + 1..).next().copied();
                    let end = end.unwrap_or(self.base + self.data.len() as u32);
                    let end = end.max(pointer + self.method_bytes(pointer));
                    pointers.extend(
                        (pointer..end.saturating_sub(3))
                            .step_by(4)
                            .map(|at| self.word(at)),
                    );
                }
            }
        }
        reached
    }

    /// Returns the bytes of a table of methods at an address; 0: there is none. A number in a picture
    /// may look like an address within a table, which would cut it.
    fn method_bytes(&self, address: u32) -> u32 {
        if !self.is_table(address) {
            return 0;
        }
        let mut end = address + 16;
        while self.places.contains_key(&self.word(end)) && !self.is_table(end) {
            end += 4;
        }
        end - address
    }

    /// Returns `true` if an address has what a table of methods begins with, and one method.
    fn is_table(&self, address: u32) -> bool {
        let [drop, size, align, method] = [0, 4, 8, 12].map(|at| self.word(address + at));
        let is_function = |word| self.places.contains_key(&word);
        let is_layout = align.is_power_of_two() && align <= 16 && size.is_multiple_of(align);
        (drop == 0 || is_function(drop)) && is_layout && is_function(method)
    }

    fn is_data(&self, address: u32) -> bool {
        address
            .checked_sub(self.base)
            .is_some_and(|at| (at as usize) < self.data.len())
    }

    /// Returns four bytes of the data as a number.
    fn word(&self, address: u32) -> u32 {
        let at = (address - self.base) as usize;
        let bytes = self
            .data
            .get(at..at + 4)
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    }
}

/// Returns the data at the start of a program, and the address of their first byte.
fn data(module: &Module) -> Result<(u32, Vec<u8>)> {
    let mut parts = Vec::new();
    for part in module.data.iter() {
        let DataKind::Active {
            offset: ConstExpr::Value(Value::I32(offset)),
            ..
        } = part.kind
        else {
            bail!("Data of the program have no constant address.");
        };
        parts.push((offset as u32, &part.value));
    }
    parts.sort();
    let base = parts.first().map_or(0, |(offset, _)| offset & !3);
    let mut all = Vec::new();
    for (offset, part) in parts {
        all.resize((offset - base) as usize, 0);
        all.extend(part);
    }
    Ok((base, all))
}

/// The things that a function mentions.
#[derive(Default)]
struct Mentions {
    functions: HashSet<FunctionId>,
    constants: HashSet<u32>,
}

impl<'a> Visitor<'a> for Mentions {
    fn visit_function_id(&mut self, id: &FunctionId) {
        self.functions.insert(*id);
    }

    fn visit_const(&mut self, constant: &Const) {
        // Two or four pointers that are stored at once are one constant.
        let (bits, words) = match constant.value {
            Value::I32(value) => (u128::from(value as u32), 1),
            Value::I64(value) => (u128::from(value as u64), 2),
            Value::V128(value) => (value, 4),
            Value::F32(_) | Value::F64(_) => return,
        };
        self.constants
            .extend((0..words).map(|at| (bits >> (32 * at)) as u32));
    }

    // A fixed address may be written as the offset of a load.
    fn visit_load(&mut self, load: &Load) {
        self.constants.insert(load.arg.offset as u32);
    }
}
