//! `longhaul completions` and `longhaul man`: both made from the definitions that the options are read by.

use std::io::Write;
use std::process::ExitCode;

use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::Output;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  longhaul completions bash > ~/.local/share/bash-completion/completions/longhaul
  longhaul completions zsh > ~/.zfunc/_longhaul
  longhaul completions fish > ~/.config/fish/completions/longhaul.fish")]
pub(crate) struct CompletionsArgs {
    /// For which shell.
    shell: Shell,
}

pub(crate) fn completions(args: &CompletionsArgs, mut definition: clap::Command) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition, "longhaul", &mut script);
    print(&script)
}

/// One page: the command, then each of its commands.
pub(crate) fn man(mut definition: clap::Command) -> Result<ExitCode, Failure> {
    let mut page = Vec::new();
    definition.build();
    let render = |command: &clap::Command, page: &mut Vec<u8>| {
        let man = clap_mangen::Man::new(command.clone());
        man.render_description_section(page)?;
        man.render_options_section(page)
    };
    let written = (|| {
        let man = clap_mangen::Man::new(definition.clone());
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_subcommands_section(&mut page)?;
        let mut waiting: Vec<&clap::Command> = definition.get_subcommands().collect();
        waiting.reverse();
        while let Some(command) = waiting.pop() {
            if command.get_name() == "help" {
                continue;
            }
            let name = command.get_bin_name().unwrap_or(command.get_name());
            writeln!(page, ".SH \"{}\"", name.to_uppercase())?;
            let mut section = Vec::new();
            render(command, &mut section)?;
            // Its sections are parts of this one.
            let section = String::from_utf8_lossy(&section).replace(".SH DESCRIPTION\n", "").replace(".SH ", ".SS ");
            page.write_all(section.as_bytes())?;
            waiting.extend(command.get_subcommands().collect::<Vec<_>>().into_iter().rev());
        }
        man.render_version_section(&mut page)
    })();
    written.map_err(|error: std::io::Error| Failure::new(format!("the manual page: {error}")))?;
    print(&page)
}

fn print(text: &[u8]) -> Result<ExitCode, Failure> {
    let mut output = Output::new();
    output.write(|out| out.write_all(text));
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
