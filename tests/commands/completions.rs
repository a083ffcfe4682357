//! `mohawk completions`

use crate::common::program::*;

#[test]
fn every_shell_learns_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        let commands = [
            "view",
            "render",
            "inspect",
            "sample",
            "export",
            "bench",
            "surface-output",
        ];
        assert_mentions(&script, &commands);
    }
    assert_mentions(&refused(2, &["completions", "csh"]), &["csh", "bash"]);
}
