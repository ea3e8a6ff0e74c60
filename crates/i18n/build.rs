//! Lists the existing language files, so that adding a language means adding a file.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Read at run time: this program may have been compiled in another folder.
    let here = env::var_os("CARGO_MANIFEST_DIR").ok_or(io::Error::other("cargo sets CARGO_MANIFEST_DIR"))?;
    let folder = Path::new(&here).join("../../locales").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == "json"));
    files.sort();
    let mut table = String::from("const FILES: &[(&str, &str)] = &[\n");
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let code = file.file_stem().unwrap_or_default().to_string_lossy();
        // Writing to a String cannot fail.
        let _ = writeln!(table, "    ({code:?}, include_str!({:?})),", file.display().to_string());
    }
    table.push_str("];\n");
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(out.join("files.rs"), table)
}
