//! The pages in docs/ and the README name files and tests, which must exist. `path#text`
//! names a file and a text in it, such as a test's name.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

const MAP: &str = "docs/SPECIFICATION-MAP.md";
/// Folders whose files a page may name by path.
const ROOTS: [&str; 8] = ["crates/", "apps/", "frontend/", "migrations/", "locales/", "docs/", "scripts/", ".ci/"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("SECURITY.md")];
    let docs = fs::read_dir(root().join("docs")).expect("docs");
    pages.extend(
        docs.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension().is_some_and(|e| e == "md")),
    );
    pages
}

/// Paths between backticks: `crates/x/src/y.rs`, `…#text`.
fn named(page: &str) -> impl Iterator<Item = &str> {
    let quoted = page.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    quoted.filter(|text| ROOTS.iter().any(|folder| text.starts_with(folder)))
}

/// The address of every `[text](address)` that is a local file.
fn linked(page: &str) -> impl Iterator<Item = &str> {
    let ends = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ends.filter(|address| !address.contains("://") && !address.starts_with('#'))
}

/// The names that the files .gitignore list for any folder, such as `dist`.
fn ignored() -> Vec<String> {
    let lists =
        [".gitignore", "frontend/.gitignore"].map(|list| fs::read_to_string(root().join(list)).expect("a list"));
    lists.iter().flat_map(|list| list.lines()).filter(|line| !line.starts_with('/')).map(str::to_owned).collect()
}

fn problem(base: &Path, reference: &str) -> Option<String> {
    // A pattern such as `locales/*.json` or `features/<area>` is not a single file.
    if reference.contains(['*', '<', '{', '…', ' ']) && !reference.contains('#') {
        return None;
    }
    let (path, text) = reference.split_once('#').unwrap_or((reference, ""));
    let file = base.join(path);
    // What git ignores may be here and is in no fresh clone.
    if path.split('/').any(|part| ignored().iter().any(|name| name == part)) {
        return Some(format!("{reference}: git ignores it, so a clone does not have it"));
    }
    if !file.exists() {
        return Some(format!("{reference}: there is no such file"));
    }
    if text.is_empty() || fs::read_to_string(&file).is_ok_and(|content| content.contains(text)) {
        None
    } else {
        Some(format!("{reference}: the file does not say this"))
    }
}

#[test]
fn every_file_that_a_page_names_is_there() {
    let mut wrong = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        let folder = path.parent().expect("a folder");
        let found = named(&page).filter_map(|name| problem(&root(), name));
        let found = found.chain(linked(&page).filter_map(|address| problem(folder, address.split('#').next()?)));
        wrong.extend(found.map(|problem| format!("{}: {problem}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each row of the map names the implementation and a test.
#[test]
fn every_row_of_the_map_names_a_file_and_a_test() {
    let map = fs::read_to_string(root().join(MAP)).expect("the map");
    // The decisions below are not rows of the specification.
    let map = map.split("\n## What the specification leaves open").next().expect("a part");
    let rows: Vec<Vec<&str>> = map
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| The specification"))
        .map(|line| line.trim_matches('|').split(" | ").collect())
        .collect();
    assert!(rows.len() > 150, "only {} rows", rows.len());
    for row in rows {
        let [what, place, test] = row.as_slice() else { panic!("three columns: {row:?}") };
        assert!(named(place).next().is_some(), "{what}: where?");
        assert!(named(test).any(|name| name.contains('#')), "{what}: which test?");
        let wrong: Vec<String> = named(test).filter_map(no_test).collect();
        assert!(wrong.is_empty(), "{what}: {}", wrong.join(", "));
    }
}

/// Why a citation does not name a test that runs, if it does not.
fn no_test(citation: &str) -> Option<String> {
    let (path, name) = citation.split_once('#')?;
    let content = fs::read_to_string(root().join(path)).ok()?;
    let found = match path.rsplit_once('.').map(|(_, kind)| kind) {
        Some("rs") => is_rust_test(&content, name) && is_compiled(path),
        Some("ts" | "tsx") => is_page_test(&content, name) && is_collected(path),
        _ => false,
    };
    (!found).then(|| format!("{citation} is no test that is run"))
}

/// `on_both!(name, …` or a function under `#[test]`, and not `#[ignore]`d.
fn is_rust_test(content: &str, name: &str) -> bool {
    if content.contains(&format!("on_both!({name},")) {
        return true;
    }
    let Some((before, _)) = content.split_once(&format!("fn {name}(")) else { return false };
    // The lines above it that are attributes.
    let above = before.rsplit('\n').skip(1).map(str::trim).take_while(|line| line.starts_with("#["));
    let attributes: Vec<&str> = above.collect();
    attributes.iter().any(|line| line.ends_with("test]") || line.starts_with("#[tokio::test("))
        && !attributes.iter().any(|line| line.contains("ignore"))
}

/// Whether Cargo compiles the file: it is a target, or a module of the file above it.
fn is_compiled(path: &str) -> bool {
    let file = root().join(path);
    let (Some(folder), Some(stem)) = (file.parent(), file.file_stem().and_then(|stem| stem.to_str())) else {
        return false;
    };
    if matches!(stem, "main" | "lib" | "mod") || folder.ends_with("tests") {
        return true;
    }
    let above = ["main.rs", "lib.rs", "mod.rs"].map(|name| folder.join(name));
    let beside = folder.with_extension("rs");
    let declared = format!("mod {stem};");
    let declares = |text: &str| text.lines().any(|line| line.trim().ends_with(&declared));
    above.iter().chain([&beside]).any(|file| fs::read_to_string(file).is_ok_and(|text| declares(&text)))
        || block_of(folder).is_some_and(|block| declares(&block))
}

/// What is between the braces of the folder's module, where the file above the folder has it.
fn block_of(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.parent()?.join("main.rs")).ok()?;
    let (_, block) = text.split_once(&format!("\nmod {} {{\n", folder.file_name()?.to_str()?))?;
    Some(block.split_once("\n}")?.0.to_owned())
}

/// The first argument of `it(…)` or `test(…)`, or of the function returned by `.each(…)`.
fn is_page_test(content: &str, name: &str) -> bool {
    ["'", "\"", "`"].iter().any(|quote| {
        let quoted = format!("{quote}{name}{quote}");
        content.match_indices(&quoted).any(|(at, _)| {
            let before = content.get(..at).unwrap_or_default().trim_end();
            let is_call = |call: &str| {
                let word = before.strip_suffix(call);
                word.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '.'))
            };
            is_call("it(") || is_call("test(") || before.ends_with(")(") && !in_a_group(before)
        })
    })
}

/// Whether the table ending here belongs to `describe.each`, `it.skip.each` and the like.
fn in_a_group(before: &str) -> bool {
    let tables = before.rmatch_indices(".each(").next();
    tables.is_none_or(|(at, _)| {
        let word = before.get(..at).unwrap_or_default();
        !["it", "test"].iter().any(|name| {
            word.strip_suffix(name).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '.'))
        })
    })
}

/// Whether Vitest or Playwright collects it there.
fn is_collected(path: &str) -> bool {
    let page = path.starts_with("frontend/src/") && (path.ends_with(".test.ts") || path.ends_with(".test.tsx"));
    page || path.starts_with("frontend/e2e/") && path.ends_with(".spec.ts")
}

#[test]
fn what_is_no_test_is_not_taken_for_one() {
    let rust = "#[test]\nfn runs() {}\n#[test]\n#[ignore = \"slow\"]\nfn waits() {}\nfn helps() {}\n\
                on_both!(both, |t| {});\n#[tokio::test(flavor = \"multi_thread\")]\nasync fn awaits() {}";
    assert!(is_rust_test(rust, "runs") && is_rust_test(rust, "both") && is_rust_test(rust, "awaits"));
    assert!(!is_rust_test(rust, "waits") && !is_rust_test(rust, "helps") && !is_rust_test(rust, "bot"));
    let page = "describe('a group', () => {\n it('runs', () => {});\n it.each([1])('runs %s', () => {});\n \
                it.skip('waits', () => {});\n expect(api('runs not'));\n describe.each([1])('of %s', () => {}) });";
    assert!(is_page_test(page, "runs") && is_page_test(page, "runs %s"));
    for none in ["a group", "waits", "runs not", "of %s", "run"] {
        assert!(!is_page_test(page, none), "{none}");
    }
    assert!(is_compiled("crates/base/tests/documents.rs") && !is_compiled("crates/base/src/nowhere.rs"));
    assert!(is_compiled("crates/desk/tests/delivery/publishers/ssps.rs"));
    assert!(!is_compiled("crates/desk/tests/delivery/publishers/nowhere.rs"));
    assert!(is_collected("frontend/e2e/story.spec.ts") && !is_collected("frontend/src/app/router.tsx"));
}

/// The summary at the top of the page matches its rows.
#[test]
fn the_summary_of_asvs_counts_its_rows() {
    let page = fs::read_to_string(root().join("docs/ASVS.md")).expect("the page");
    let cells = page.lines().filter(|line| line.starts_with("| ")).map(|line| line.trim_matches('|').split(" | "));
    let tables: Vec<Vec<&str>> = cells.map(|row| row.map(str::trim).collect()).collect();
    let is_number = |text: &str| text.split('.').count() == 3 && text.split('.').all(|n| n.parse::<u8>().is_ok());
    let rows: Vec<&Vec<&str>> =
        tables.iter().filter(|row| is_number(row.first().copied().unwrap_or_default())).collect();
    let mut told = vec![
        counted(&rows, "1", |row| row.get(1) == Some(&"1")),
        counted(&rows, "2", |row| row.get(1) == Some(&"2")),
        counted(&rows, "both", |_| true),
    ];
    let chapters = tables.iter().filter_map(|row| row.first()).filter(|cell| cell.starts_with('V'));
    told.extend(chapters.map(|chapter| {
        let number = chapter.trim_start_matches('V').split(' ').next();
        counted(&rows, chapter, |row| row.first().is_some_and(|cell| cell.split('.').next() == number))
    }));
    assert!(told.len() > 10, "only {} lines of the summary", told.len());
    for line in told {
        assert!(tables.iter().any(|row| *row == line), "it comes to {line:?}");
    }
}

/// The line of the summary that counts the rows picked by `is`: all of them, and by status.
fn counted(rows: &[&Vec<&str>], heading: &str, is: impl Fn(&[&str]) -> bool) -> Vec<String> {
    let statuses = ["met", "met at the proxy", "met in part", "not met", "not applicable"];
    let picked: Vec<_> = rows.iter().filter(|row| is(row.as_slice())).collect();
    let by_status = statuses.map(|status| picked.iter().filter(|row| row.get(3) == Some(&status)).count());
    assert_eq!(picked.len(), by_status.iter().sum::<usize>(), "a status that is none");
    let all = std::iter::once(picked.len()).chain(by_status);
    std::iter::once(heading.to_owned()).chain(all.map(|n| n.to_string())).collect()
}
