use std::process::ExitCode;

use edgeforge_mirror::args::{self, Command, HELP};
use edgeforge_mirror::ci::gate::{gate, report};
use edgeforge_mirror::ci::run::run as run_command;
use edgeforge_mirror::console::{Console, print};
use edgeforge_mirror::contents;
use edgeforge_mirror::error::Result;
use edgeforge_mirror::git::Repository;
use edgeforge_mirror::index;
use edgeforge_mirror::install::{install, uninstall};
use edgeforge_mirror::lists;
use edgeforge_mirror::moving;
use edgeforge_mirror::settings;
use edgeforge_mirror::sync::{plan, show, sync};
use edgeforge_mirror::verify::verify;

fn main() -> ExitCode {
    match run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            Console::fail(&error.to_string());
            ExitCode::from(error.exit_code())
        }
    }
}

/// Returns the exit code: 1 if `status` or `verify` found a difference.
fn run() -> Result<u8> {
    let (command, options) = args::read(std::env::args_os().skip(1))?;
    match command {
        Command::Help => print(HELP.trim_end()),
        Command::Version => print(concat!("edgeforge-mirror ", env!("CARGO_PKG_VERSION"))),
        Command::Run | Command::Report | Command::Gate => {
            // threads that nobody waits for use both
            let console = Box::leak(Box::new(Console::new(options.verbose, options.quiet)));
            let options = Box::leak(Box::new(options));
            return match command {
                Command::Run => run_command(options, console),
                Command::Report => report(options, console),
                _ => gate(options, console),
            };
        }
        Command::Export | Command::Import => {
            let console = Console::new(options.verbose, options.quiet);
            return match command {
                Command::Export => moving::export(&options, &console),
                _ => moving::import(&options, &console),
            };
        }
        _ => {
            let console = Console::new(options.verbose, options.quiet);
            let repository = Repository::open(&options.repository)?;
            let server = || settings::server(&options, &repository, &console);
            match command {
                Command::Install => install(&repository, &options, &console)?,
                Command::Uninstall => uninstall(&repository, &console)?,
                Command::Status => {
                    let plan = plan(&repository, &server()?, &console, &Default::default(), &options)?;
                    show(&plan, &repository)?;
                    return Ok(u8::from(!plan.is_empty()));
                }
                Command::Verify => {
                    let server = server()?;
                    let mut different = index::verify(&repository, &server, &console)?;
                    if options.verifies_contents {
                        let plan = plan(&repository, &server, &console, &Default::default(), &options)?;
                        different += contents::verify(&repository, &server, &plan.contents, options.sample, &console)?;
                    }
                    if !server.may_read()? {
                        console.warn(
                            "verify did not compare commits, because a hook's token cannot read them; give a member's token",
                        );
                        return Ok(u8::from(different > 0));
                    }
                    different += verify(&repository, &server, options.sample, &console)?;
                    if options.lists {
                        different += lists::verify(&repository, &server, options.jobs, &console)?;
                    }
                    return Ok(u8::from(different > 0));
                }
                _ => sync(&repository, &server()?, &options, &console)?,
            }
        }
    }
    Ok(0)
}
