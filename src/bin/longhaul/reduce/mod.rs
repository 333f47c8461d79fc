//! `longhaul reduce`: an instance of one problem as an instance of another, and solutions forwards and back.

mod args;
mod instance;
mod solution;

use std::process::ExitCode;

use longhaul::adapters::reductions::{
    CubicToSolitaire, CycleToPath, FixedToFreeEnds, FreeToFixedEnds, GeographyToMatching, PathToCooperative,
    PathToCycle, PathToEqualHands, PathToLongPath, Reduction, SolitaireToEqualHands, SolitaireToLongPath,
    UncooperativeToGeography, UndirectedToDirected,
};

use crate::failure::Failure;
use crate::input::read_text;
use crate::write::write_whole;
use args::Kind;
pub(crate) use args::ReduceArgs;
use instance::{Readable, Writable};
use solution::Told;

pub(crate) fn run(args: &ReduceArgs) -> Result<ExitCode, Failure> {
    let rule = args.rule.unwrap_or_default();
    if args.rule.is_some() && !matches!(args.kind, Kind::PathToCooperative | Kind::PathToEqualHands) {
        return Err(Failure::usage("--rule is for the reductions of Hamiltonian paths to UNO for two"));
    }
    match args.kind {
        Kind::CubicToSolitaire => reduce(&CubicToSolitaire, args),
        Kind::PathToCooperative => reduce(&PathToCooperative { rule }, args),
        Kind::PathToEqualHands => reduce(&PathToEqualHands { rule }, args),
        Kind::SolitaireToEqualHands => reduce(&SolitaireToEqualHands, args),
        Kind::PathToLongPath => reduce(&PathToLongPath, args),
        Kind::CycleToPath => reduce(&CycleToPath, args),
        Kind::PathToCycle => reduce(&PathToCycle, args),
        Kind::FreeToFixedEnds => reduce(&FreeToFixedEnds, args),
        Kind::FixedToFreeEnds => reduce(&FixedToFreeEnds, args),
        Kind::UndirectedToDirected => reduce(&UndirectedToDirected, args),
        Kind::SolitaireToLongPath => reduce(&SolitaireToLongPath, args),
        Kind::UncooperativeToGeography => reduce(&UncooperativeToGeography, args),
        Kind::GeographyToMatching => reduce(&GeographyToMatching, args),
    }
}

fn reduce<R>(reduction: &R, args: &ReduceArgs) -> Result<ExitCode, Failure>
where
    R: Reduction<Source: Readable<Solution: Told>, Target: Writable<Solution: Told>>,
{
    let wrong_way = args.solution.is_some() && !args.back && !args.forward;
    if wrong_way {
        let message = "a solution is given, and not which way to carry it";
        return Err(Failure::new(message).with_help("add --back for a solution of the reduced instance, or --forward"));
    }
    if args.file.as_os_str() == "-" && args.solution.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(Failure::new("the instance and the solution cannot both come from standard input"));
    }
    let given = [
        ("--from", args.from.is_some()),
        ("--to", args.to.is_some()),
        ("--at-least", args.at_least.is_some()),
        ("--opening", !args.opening.is_empty()),
    ];
    if let Some((option, _)) = given.iter().find(|(option, given)| *given && !R::Source::OPTIONS.contains(option)) {
        return Err(Failure::usage(format!("{option} says nothing of what {} starts from", reduction.name())));
    }
    let (source, source_terms) = R::Source::read(args)?;
    let target = reduction.reduce(&source).map_err(|refused| {
        let failure = Failure::new(refused.to_string());
        match refused.node().and_then(|node| source_terms.file_name(node)) {
            Some(name) => {
                failure.with_help(format!("nodes are counted from 0 there: this one is '{name}' in the file"))
            }
            None => failure,
        }
    })?;
    let target_terms = target.terms(args.output.format());
    let Some(path) = &args.solution else {
        target.write(reduction.name(), &args.output)?;
        return Ok(ExitCode::SUCCESS);
    };
    let (name, text) = read_text(path)?;
    let not_carried = |fault: longhaul::adapters::reductions::Fault| Failure::new(format!("{name}: {fault}"));
    if args.back {
        let solution = Told::read(&name, &text, &target_terms)?;
        let carried = reduction.carry_back(&source, &solution).map_err(not_carried)?;
        write_whole(&args.output, |out| carried.write(&source_terms, out))?;
    } else {
        let solution = Told::read(&name, &text, &source_terms)?;
        let carried = reduction.carry_forward(&source, &solution).map_err(not_carried)?;
        write_whole(&args.output, |out| carried.write(&target_terms, out))?;
    }
    Ok(ExitCode::SUCCESS)
}
