//! Splits a program for browsers into what its first picture needs and the rest, which a page fetches
//! later.
//!
//! The parts share memory, table and globals; the first part exports what the second imports. A
//! function of the rest keeps its place in the first part as a stub, where something there may call it:
//!
//! ```text
//! if rest_is_here == 0 { jobs.js: loadRest() }
//! table[place of the function](arguments)
//! ```
//!
//! When the second part is instantiated it puts its functions into those places of the table. A call
//! through the table then reaches the function itself.
//!
//! A list names functions of the rest. What only they reach belongs to the rest too: `reach` follows
//! calls, and pointers in the data. A function that is in the wrong part costs time or bytes; the
//! program does the same.

use crate::reach::Program;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use walrus::ir::Value;
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, Function, FunctionBuilder, FunctionId,
    FunctionKind, GlobalKind, ImportedFunction, LocalId, Module, ModuleConfig, TypeId, ValType,
    passes,
};

/// Places in the table, of each function that has one.
type Places = BTreeMap<usize, BTreeSet<u32>>;

/// The module that the rest imports from: the exports of the first part.
const FIRST: &str = "first";
/// A function of so few instructions stays where it is called: a stub is hardly smaller, and the
/// compiler shares it between functions of other names.
const SMALL: u64 = 40;
/// The global of the first part that is 1 when the rest is here.
const IS_HERE: &str = "rest_is_here";

/// Splits a program. Lines of the list name functions of the rest, by text that their names contain;
/// `!` before a line takes some out again, `#` begins a comment. The program becomes its first part.
///
/// # Errors
///
/// A file cannot be read or written, the program is not of the form that the compiler makes, or a line
/// of the list fits no function.
pub fn split(program: &Path, list: &Path, rest: &Path) -> Result<()> {
    let wasm = fs::read(program).with_context(|| program.display().to_string())?;
    let lines = fs::read_to_string(list).with_context(|| list.display().to_string())?;
    let mut config = ModuleConfig::new();
    config
        .generate_name_section(false)
        .generate_producers_section(false);
    let mut first = config.parse(&wasm)?;
    let mut second = config.parse(&wasm)?;

    let known = Program::read(&first)?;
    let named = named(&first, &lines);
    let hot = known.reach(&named);
    let is_later = |at: &usize| known.is_local[*at] && !hot.contains(at);
    let later: HashSet<usize> = (0..known.functions.len()).filter(is_later).collect();
    // The places in the table of those that the first part may call: their own, or new ones.
    let called = hot
        .iter()
        .flat_map(|&from| &known.calls[from])
        .chain(&known.exported);
    let mut places: Places = BTreeMap::new();
    for (&place, at) in &known.places {
        places.entry(*at).or_default().insert(place);
    }
    let mut size = known.table_size;
    for &at in called.collect::<BTreeSet<_>>() {
        places.entry(at).or_insert_with(|| {
            size += 1;
            BTreeSet::from([size - 1])
        });
    }
    places.retain(|at, _| later.contains(at));

    keep_rest(&mut second, &known, &later, &places, size);
    keep_first(&mut first, &known, &later, &places, size)?;
    println!(
        "{} of {} functions are in the rest, {} of them with a stub",
        later.len(),
        known.functions.len(),
        places.len()
    );
    fs::write(rest, second.emit_wasm()).with_context(|| rest.display().to_string())?;
    fs::write(program, first.emit_wasm()).with_context(|| program.display().to_string())
}

/// Returns the functions that the lines of a list name.
fn named(module: &Module, list: &str) -> HashSet<usize> {
    let lines = list
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut moved, mut kept) = (HashSet::new(), HashSet::new());
    for line in lines {
        let text = line.trim_start_matches('!');
        let has = |name: &Option<String>| name.as_ref().is_some_and(|name| name.contains(text));
        let all = module
            .funcs
            .iter()
            .enumerate()
            .filter(|(_, function)| has(&function.name));
        let all: Vec<_> = all.collect();
        if all.is_empty() {
            // The compiler may have put it into others.
            eprintln!("no function is called {text}");
        }
        let is_large = |(_, function): &(usize, &Function)| match &function.kind {
            FunctionKind::Local(local) => local.size() > SMALL,
            _ => false,
        };
        let large = all.into_iter().filter(is_large).map(|(at, _)| at);
        match line.starts_with('!') {
            true => kept.extend(large),
            false => moved.extend(large),
        }
    }
    &moved - &kept
}

/// Returns the name under which the first part exports a function.
fn name(at: usize) -> String {
    format!("f{at}")
}

/// Makes stubs of the functions of the rest, and exports what the rest imports.
fn keep_first(
    first: &mut Module,
    known: &Program,
    later: &HashSet<usize>,
    places: &Places,
    size: u32,
) -> Result<()> {
    let is_here =
        first
            .globals
            .add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
    first.exports.add(IS_HERE, is_here);
    let nothing = first.types.add(&[], &[]);
    let (load, _) = first.add_import_func("./jobs.js", "loadRest", nothing);
    let table = first.tables.get_mut(known.table);
    table.initial = size.into();
    table.maximum = Some(size.into());
    // The names of what is exported already are of no use to the rest, which has names of its own.
    for (name, item) in shared(first) {
        first.exports.add(&name, item);
    }
    let wanted: BTreeSet<usize> = later
        .iter()
        .flat_map(|&at| &known.calls[at])
        .copied()
        .filter(|at| !later.contains(at))
        .collect();
    for at in wanted {
        let id = known.functions[at];
        let id = if known.is_local[at] {
            id
        } else {
            passed_on(first, id)
        };
        first.exports.add(&name(at), id);
    }
    for (&at, places) in places {
        let id = known.functions[at];
        let ty = first.funcs.get(id).ty();
        let (arguments, mut stub) = caller(first, ty);
        stub.func_body().global_get(is_here).if_else(
            None,
            |_| {},
            |missing| {
                missing.call(load);
            },
        );
        for &argument in &arguments {
            stub.func_body().local_get(argument);
        }
        let place = places.first().copied().unwrap_or_default();
        stub.func_body()
            .i32_const(place as i32)
            .call_indirect(ty, known.table);
        first.funcs.get_mut(id).kind = FunctionKind::Local(stub.local_func(arguments));
    }
    passes::gc::run(first);
    Ok(())
}

/// Returns a function that calls an imported one: the rest shall not take it for one of its own.
fn passed_on(first: &mut Module, id: FunctionId) -> FunctionId {
    let (arguments, mut call) = caller(first, first.funcs.get(id).ty());
    for &argument in &arguments {
        call.func_body().local_get(argument);
    }
    call.func_body().call(id);
    call.finish(arguments, &mut first.funcs)
}

/// Begins a function of a type, with its arguments.
fn caller(module: &mut Module, ty: TypeId) -> (Vec<LocalId>, FunctionBuilder) {
    let (arguments, results) = module.types.params_results(ty);
    let (arguments, results) = (arguments.to_vec(), results.to_vec());
    let builder = FunctionBuilder::new(&mut module.types, &arguments, &results);
    (
        arguments.iter().map(|&ty| module.locals.add(ty)).collect(),
        builder,
    )
}

/// Returns memories, tables and globals, by names that both parts give them.
fn shared(module: &Module) -> Vec<(String, ExportItem)> {
    let memories = module
        .memories
        .iter()
        .map(|memory| ExportItem::Memory(memory.id()));
    let tables = module
        .tables
        .iter()
        .map(|table| ExportItem::Table(table.id()));
    let globals = module
        .globals
        .iter()
        .map(|global| ExportItem::Global(global.id()));
    let named = |(at, item)| (format!("g{at}"), item);
    memories
        .chain(tables)
        .chain(globals)
        .enumerate()
        .map(named)
        .collect()
}

/// Keeps the functions of the rest, which go into the table; all else is imported.
fn keep_rest(
    rest: &mut Module,
    known: &Program,
    later: &HashSet<usize>,
    places: &Places,
    size: u32,
) {
    let ids: Vec<FunctionId> = rest.funcs.iter().map(|function| function.id()).collect();
    let items = shared(rest);
    let table = rest
        .tables
        .iter()
        .nth(known.table_index)
        .map(|table| table.id());
    for id in rest
        .imports
        .iter()
        .map(|import| import.id())
        .collect::<Vec<_>>()
    {
        rest.imports.delete(id);
    }
    for id in rest
        .exports
        .iter()
        .map(|export| export.id())
        .collect::<Vec<_>>()
    {
        rest.exports.delete(id);
    }
    for id in rest.data.iter().map(|data| data.id()).collect::<Vec<_>>() {
        rest.data.delete(id);
    }
    for id in rest
        .elements
        .iter()
        .map(|element| element.id())
        .collect::<Vec<_>>()
    {
        rest.elements.delete(id);
    }
    rest.start = None;
    for (name, item) in items {
        match item {
            ExportItem::Memory(id) => {
                let import = rest.imports.add(FIRST, &name, id);
                let memory = rest.memories.get_mut(id);
                (memory.import, memory.data_segments) = (Some(import), Default::default());
            }
            ExportItem::Table(id) => {
                let import = rest.imports.add(FIRST, &name, id);
                let table = rest.tables.get_mut(id);
                (table.import, table.elem_segments) = (Some(import), Default::default());
            }
            ExportItem::Global(id) => {
                let import = rest.imports.add(FIRST, &name, id);
                rest.globals.get_mut(id).kind = GlobalKind::Import(import);
            }
            _ => {}
        }
    }
    for (at, &id) in ids.iter().enumerate().filter(|(at, _)| !later.contains(at)) {
        let import = rest.imports.add(FIRST, &name(at), id);
        let function = rest.funcs.get_mut(id);
        function.kind = FunctionKind::Import(ImportedFunction {
            import,
            ty: function.ty(),
        });
    }
    let by_place = places
        .iter()
        .flat_map(|(at, places)| places.iter().map(|&place| (place, ids[*at])));
    let by_place: Vec<(u32, FunctionId)> =
        by_place.collect::<BTreeMap<_, _>>().into_iter().collect();
    if let Some(table) = table {
        rest.tables.get_mut(table).initial = size.into();
        rest.tables.get_mut(table).maximum = Some(size.into());
        for run in by_place.chunk_by(|(a, _), (b, _)| a + 1 == *b) {
            let offset = ConstExpr::Value(Value::I32(run[0].0 as i32));
            let items = ElementItems::Functions(run.iter().map(|(_, id)| *id).collect());
            rest.elements
                .add(ElementKind::Active { table, offset }, items);
        }
    }
    passes::gc::run(rest);
}
