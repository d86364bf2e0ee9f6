//! Build verbs: what their words may name, and what their tools find above the project.

use shfence::{
    Code, Cwd, Decision, Dialects, Env, FsView, Invocation, Limits, MemoryView, NoView, Policy,
    Profile, Request, Role, Scope, Verdict, decide,
};
use std::path::Path;

/// `/h/w/p` is the project, `/h` the home directory.
struct Asked<'a> {
    line: &'a str,
    cwd: &'a str,
    env: Env,
    profile: Profile,
}

impl<'a> Asked<'a> {
    fn from(line: &'a str) -> Asked<'a> {
        Asked { line, cwd: "/h/w/p", env: Env::new(), profile: Profile::ReadBuild }
    }

    fn verdict(&self, view: &dyn FsView) -> Verdict {
        let scope = Scope::new(&["/h/w/p".into()], view).expect("the project is there");
        let request = Request {
            line: self.line.as_bytes(),
            cwd: Cwd { dir: Path::new(self.cwd), pwd: Some(Path::new(self.cwd)) },
            scope: &scope,
            home: Some(Path::new("/h")),
            env: &self.env,
            dialects: Dialects::ALL,
            invocation: Invocation::C,
            policy: &Policy { profile: self.profile, ..Policy::default() },
            limits: Limits::default(),
        };
        decide(&request, view)
    }
}

/// The project, with more files; `PATH>TARGET` is a link, `PATH=TEXT` a file with a text.
fn tree(more: &[&str]) -> MemoryView {
    let mut view = MemoryView::default();
    view.dir("/h/w/p/a/b").file("/h/w/p/a/f", "").file("/h/w/out/x", "");
    for entry in more {
        match (entry.split_once('>'), entry.split_once('=')) {
            (Some((link, to)), _) => view.link(link, to),
            (None, Some((file, text))) => view.file(file, text),
            (None, None) => view.file(entry, ""),
        };
    }
    view
}

/// What it says if nothing stands against it, or the codes of what does.
fn answer(verdict: &Verdict) -> String {
    if verdict.decision == Decision::Allow {
        return "allow".to_owned();
    }
    let mut codes: Vec<String> = verdict.reasons.iter().map(|it| it.code.name()).collect();
    codes.dedup();
    codes.join(" ")
}

const BIN: &str = "/h/w/p/node_modules/.bin/tsc>../typescript/bin/tsc";
const TSC: &str = "/h/w/p/node_modules/typescript/bin/tsc";

const SCRIPTS: &str = r#"/h/w/p/package.json={"scripts":{"build":"x","tsc":"x"}}"#;

/// The line, more of the tree, the answer.
type Row = (&'static str, &'static [&'static str], &'static str);

// tidy: table
#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("cargo test", &[], "allow"),
    ("cargo test", &["/h/w/p/Cargo.toml"], "allow"),
    ("cargo test", &["/h/w/Cargo.toml"], "path-outside"),
    ("cargo test", &["/h/w/p/Cargo.toml", "/h/w/.cargo/config.toml"], "path-outside"),
    ("cargo test", &["/h/w/p/Cargo.toml", "/h/.cargo/config.toml"], "allow"),
    ("cargo test", &["/h/w/p/Cargo.toml", "/.cargo/config.toml"], "path-outside"),
    ("cargo test", &["/h/w/p/Cargo.toml>../out/x"], "path-outside"),
    ("cargo test", &["/h/w/rust-toolchain.toml", "/h/w/p/rust-toolchain"], "allow"),
    ("cargo test", &["/h/w/rust-toolchain.toml"], "path-outside"),
    ("cargo --version", &["/h/w/Cargo.toml"], "allow"),
    ("cd a && cargo test", &["/h/w/p/Cargo.toml"], "allow"),
    ("cargo test --manifest-path ../out/Cargo.toml", &[], "path-outside"),
    ("cargo build --target-dir ../t", &[], "path-outside"),
    ("cargo build --target-dir t", &[], "allow"),
    ("cargo build --target-dir .git/hooks", &[], "protected"),
    ("cargo run", &[], "undeclared-option"),
    ("go version", &["/h/w/go.mod"], "path-outside"),
    ("pnpm -v", &["/h/w/package.json"], "path-outside"),
    ("node -v", &["/h/w/.tool-versions"], "path-outside"),
    ("node -v", &["/h/.tool-versions", "/h/w/package.json"], "allow"),
    ("npm test", &["/h/w/.node-version"], "path-outside"),
    ("mvn test", &["/h/w/.java-version"], "path-outside"),
    ("bundle exec rspec", &["/h/w/mise.toml"], "path-outside"),
    ("bundle --version", &["/h/w/Gemfile.lock"], "path-outside"),
    ("go build -o bin/x ./...", &["/h/w/p/go.mod", "/h/w/go.mod"], "allow"),
    ("go build ./...", &["/h/w/go.mod"], "path-outside"),
    ("go build ./...", &["/h/w/p/go.mod", "/h/w/go.work"], "path-outside"),
    ("go test ../...", &[], "path-outside"),
    ("go -C a test .", &[], "undeclared-option"),
    ("pytest", &["/h/w/pytest.ini"], "path-outside"),
    ("pytest", &["/h/w/pytest.ini", "/h/w/p/setup.cfg"], "path-outside"),
    ("pytest", &["/h/w/pytest.ini", "/h/w/p/pytest.ini"], "allow"),
    ("pytest", &["/h/setup.cfg"], "allow"),
    ("pytest a/t.py::test_x -q", &[], "allow"),
    ("pytest ../out/t.py::test_x", &[], "path-outside"),
    ("pytest --ignore=../out", &[], "path-outside"),
    ("pytest '~/x'", &[], "word-unknown"),
    ("pytest /h/w/p/a", &[], "allow"),
    ("pytest a/l", &["/h/w/p/a/l>../../out"], "path-outside"),
    ("pytest .env", &[], "protected"),
    ("python3 -m pytest", &["/h/w/conftest.py"], "path-outside"),
    // What is made goes through links, also through one that leads nowhere yet.
    ("cargo build", &["/h/w/p/target>../out"], "path-outside"),
    ("cargo build", &["/h/w/p/target>../out/nosuch"], "path-outside"),
    ("cd a && cargo build", &["/h/w/p/src/main.rs>../../out/x"], "path-outside"),
    ("cargo build", &["/h/w/p/target>a", "/h/w/target>out"], "allow"),
    ("cargo --version", &["/h/w/p/target>../out"], "allow"),
    ("ruff check", &["/h/w/p/.ruff_cache>../out"], "path-outside"),
    ("ruff check", &["/h/w/p/a/.gitignore>../../out/x"], "path-outside"),
    ("ruff check", &["/h/w/p/a/.x.py>../../out/x"], "path-outside"),
    ("ruff check", &["/h/w/p/a/.#b.py>me@here.1"], "allow"),
    ("mypy .", &["/h/w/p/a/.x.py>../../out/x"], "allow"),
    ("isort --check .", &["/h/w/p/a/data>../../out/x"], "path-outside"),
    ("pytest", &["/h/w/p/a/__pycache__>../../out"], "path-outside"),
    ("pytest", &["/h/w/p/a/v>../../out", "/h/w/out/pyvenv.cfg", "/h/w/out/x.py"], "allow"),
    ("vitest run", &["/h/w/p/.env.local>../out/x"], "path-outside"),
    ("vite build", &["/h/w/p/.env>a/.env", "/h/w/p/a/.env"], "allow"),
    ("jest --coverage", &["/h/w/p/coverage>../out"], "path-outside"),
    ("python3 -m py_compile a.py", &["/h/w/p/__pycache__>../out"], "path-outside"),
    // Some go down, through links.
    ("pytest", &["/h/w/p/a/l>../../out"], "allow"),
    ("pytest", &["/h/w/p/a/l>../../out", "/h/w/out/b/t.py"], "path-outside"),
    ("pytest", &["/h/w/p/a/conftest.py>../../out/x"], "path-outside"),
    ("pytest a", &["/h/w/p/a/b/t.py>../../../out/x"], "path-outside"),
    ("pytest a/b", &["/h/w/p/a/l>../../out", "/h/w/out/b/t.py"], "allow"),
    ("pytest -c a/f", &["/h/w/p/a/l>../../out", "/h/w/out/b/t.py"], "path-outside"),
    ("pytest", &["/h/w/p/a/l>b", "/h/w/p/a/b/m>../../../out", "/h/w/out/b/t.py"], "path-outside"),
    ("pytest", &["/h/w/p/a/l.csv>../../out/x", "/h/w/p/a/loop>loop"], "allow"),
    ("pytest", &["/h/w/p/e/pyvenv.cfg", "/h/w/p/e/lib>/h/w/out", "/h/w/p/.x/l>/h/w/out", "/h/w/out/t.py"], "allow"),
    ("node --test", &["/h/w/p/a/x.test.js>../../out/x"], "path-outside"),
    ("node --test", &["/h/w/p/node_modules/x/l>../../../out"], "allow"),
    ("mypy .", &["/h/w/p/a/l>../../out", "/h/w/out/b/t.py"], "path-outside"),
    ("python3 -m unittest", &["/h/w/p/a/l>../../out", "/h/w/out/b/t.py"], "path-outside"),
    ("python3 -m compileall a", &["/h/w/p/a/l.py>../../out/x"], "path-outside"),
    ("rg x", &["/h/w/p/a/b/.ignore>../../../out/x"], "path-outside"),
    ("rg x a/f", &["/h/w/p/a/b/.ignore>../../../out/x"], "allow"),
    ("rg x a/b", &["/h/w/p/a/.ignore>../../out/x"], "path-outside"),
    ("rg x a", &["/h/w/p/c/.ignore>../../out/x", "/h/w/p/a/l>../../out", "/h/w/out/.ignore"], "allow"),
    ("rg --files", &["/h/w/p/a/.git/info/exclude>/h/w/out/x"], "path-outside"),
    ("fd x", &["/h/w/p/a/.fdignore>../../out/x"], "path-outside"),
    ("fd x", &["/h/w/p/a/.rgignore>../../out/x"], "allow"),
    ("rg x", &["/h/w/p/a/.git=gitdir: /h/w/out", "/h/w/out/commondir=."], "path-outside"),
    ("rg x", &["/h/w/p/a/.git=gitdir: ../.git/modules/a"], "allow"),
    ("rg x", &["/h/w/p/.git=gitdir: /h/w/out", "/h/w/out/commondir=."], "path-outside"),
    ("cd a && rg x", &["/h/w/p/a/.git=gitdir: /h/w/p/g", "/h/w/p/g/commondir=.."], "allow"),
    ("ruff check", &["/h/w/p/a/.git/info/exclude>/h/w/out/x"], "path-outside"),
    ("black --check .", &["/h/w/p/a/.gitignore>../../out/x"], "path-outside"),
    ("eslint .", &["/h/w/p/a/b/.eslintrc.js>../../../out/x"], "path-outside"),
    ("prettier --check .", &["/h/w/p/a/b/.prettierrc>../../../out/x"], "path-outside"),
    ("rubocop", &["/h/w/p/a/.rubocop.yml>../../out/x"], "path-outside"),
    // Parts of the project, and its sources.
    ("cargo test", &["/h/w/p/crates/x>../../out", "/h/w/out/Cargo.toml"], "path-outside"),
    ("cargo test", &["/h/w/p/crates/x>../../out"], "allow"),
    ("mypy a/f.py", &["/h/w/p/a/f.py", "/h/w/p/l.py>../out/x"], "path-outside"),
    ("tsc --noEmit a/x.ts", &["/h/w/p/a/x.ts", "/h/w/p/l.ts>../out/x"], "path-outside"),
    ("ruff check a/f.py", &["/h/w/p/a/f.py", "/h/w/p/l.py>../out/x"], "allow"),
    ("cargo test f", &["/h/w/p/f", "/h/w/p/a/x.rs>../../out/x"], "path-outside"),
    ("npm test f", &["/h/w/p/f", "/h/w/p/l>../out", "/h/w/out/package.json"], "path-outside"),
    ("cd a/b && cargo test", &["/h/w/p/crates/x>../../out", "/h/w/out/Cargo.toml"], "path-outside"),
    ("cargo check", &["/h/w/p/a/src/x.rs>../../../out/x"], "path-outside"),
    ("cargo check", &["/h/w/p/target/CACHEDIR.TAG", "/h/w/p/target/x.rs>../../out/x"], "allow"),
    ("npm test -w x", &["/h/w/p/packages/x>../../out", "/h/w/out/package.json"], "path-outside"),
    ("pnpm -r test", &["/h/w/p/packages/x/package.json>../../../out/x"], "path-outside"),
    ("pnpm test", &["/h/w/p/node_modules/x>../../out", "/h/w/out/package.json"], "allow"),
    ("go test ./...", &["/h/w/p/a/x.go>../../out/x"], "path-outside"),
    ("go build", &["/h/w/p/l>../out", "/h/w/out/go.mod"], "path-outside"),
    ("gradle build", &["/h/w/p/l>../out", "/h/w/out/build.gradle.kts"], "path-outside"),
    ("mvn test", &["/h/w/p/a/target>../../out"], "path-outside"),
    ("tsc --noEmit", &["/h/w/p/src/l>../../out", "/h/w/out/d/x.ts"], "path-outside"),
    ("biome check .", &["/h/w/p/l>../out", "/h/w/out/x.js"], "path-outside"),
    ("eslint .", &["/h/w/p/a/x.ts>../../out/x"], "path-outside"),
    ("dotnet build", &["/h/w/p/l>../out", "/h/w/out/X.cs"], "path-outside"),
    // make looks nowhere but where it starts.
    ("make test", &["/h/w/Makefile"], "allow"),
    ("make test", &["/h/w/p/Makefile>../out/x"], "path-outside"),
    ("make -C ../out all", &[], "path-outside"),
    ("make -f ../out/x all", &[], "path-outside"),
    ("make CC=x all", &[], "undeclared-option"),
    // A path is taken from where the tool starts, and perhaps from where it was called.
    ("cd a/b && make -C ../.. -f ../out/x all", &[], "path-outside"),
    ("cd a && make -C .. -C .. all", &[], "path-outside"),
    ("cd a && make -C .. -C a all", &[], "allow"),
    ("cd a && npm --prefix .. test", &[], "allow"),
    ("npm --prefix .. test", &[], "path-outside"),
    // Scripts are the project's; what they are told must not lead out of it.
    ("npm test", &["/h/w/p/package.json", "/h/package.json"], "allow"),
    ("npm test", &["/h/w/package.json"], "path-outside"),
    ("npm run build", &["/h/w/p/package.json", "/h/w/p/.npmrc"], "allow"),
    ("npm run build", &["/h/w/p/package.json", "/h/w/.npmrc"], "path-outside"),
    ("npm run x -- --config=/etc/passwd", &[], "path-outside"),
    ("npm run x -- src/a --y", &[], "allow"),
    ("npm run x $y", &[], "word-unknown"),
    ("pnpm --filter ../out test", &[], "path-outside"),
    ("bun run rm -r a", &[], "undeclared-option"),
    // Without a script of the name they run a program.
    ("bun run build a", &[SCRIPTS], "allow"),
    ("cd a; yarn run build", &[SCRIPTS], "allow"),
    ("yarn run build ../out", &[SCRIPTS], "path-outside"),
    ("yarn run rimraf a", &[SCRIPTS], "undeclared-option"),
    ("bun run cargo publish", &[SCRIPTS], "fetches undeclared-option"),
    ("bun run build", &["/h/w/p/package.json={"], "undeclared-option"),
    ("cd a; bun run build", &[SCRIPTS, "/h/w/p/a/package.json={}"], "undeclared-option"),
    ("bun run --cwd a build", &[SCRIPTS, "/h/w/p/a/package.json={}"], "undeclared-option"),
    ("cd a && bun --cwd .. run build", &[SCRIPTS, "/h/w/p/a/package.json={}"], "allow"),
    ("yarn run jest", &[SCRIPTS, "/h/w/p/node_modules/.bin/jest"], "allow"),
    ("yarn run prettier --write a", &[SCRIPTS, "/h/w/p/node_modules/.bin/prettier"], "undeclared-option"),
    ("yarn run playwright install", &[SCRIPTS, "/h/w/p/node_modules/.bin/playwright"], "undeclared-option"),
    ("yarn run jest", &[SCRIPTS], "fetches"),
    ("pnpm build --x", &[SCRIPTS], "allow"),
    ("pnpm coverage run a", &[SCRIPTS], "undeclared-option"),
    ("pnpm -r coverage", &[SCRIPTS], "allow"),
    ("pnpm --filter a lint", &[SCRIPTS], "allow"),
    ("pnpm test", &[SCRIPTS], "allow"),
    ("bun run --filter a lint", &[SCRIPTS], "allow"),
    ("bun --filter a run lint", &[SCRIPTS], "allow"),
    ("yarn run tsc --init", &[SCRIPTS, BIN, TSC], "allow"),
    // What is not there would be downloaded.
    ("npx tsc --noEmit", &[BIN, TSC], "allow"),
    ("npx tsc --noEmit", &[], "fetches"),
    ("npx tsc --noEmit", &["/h/w/node_modules/.bin/tsc"], "fetches path-outside"),
    ("cd a/b; npx tsc", &[BIN, TSC], "allow"),
    ("npx tsc", &["/h/w/p/node_modules/.bin>../../out", "/h/w/out/tsc"], "path-outside"),
    ("npx tsc --plugins x", &[BIN, TSC], "undeclared-option"),
    ("npx tsc@5 --noEmit", &[BIN, TSC], "undeclared-verb"),
    ("npx nosuch", &["/h/w/p/node_modules/.bin/nosuch"], "undeclared-verb"),
    ("npx cat a/f", &["/h/w/p/node_modules/.bin/cat"], "undeclared-verb"),
    ("pnpm exec tsc -p ../out", &[BIN, TSC], "path-outside"),
    ("pnpm -C a exec tsc", &[BIN, TSC], "undeclared-option"),
    ("yarn tsc", &[BIN, TSC], "allow"),
    ("yarn lint", &[], "undeclared-verb"),
    ("bunx tsc", &[BIN, TSC], "allow"),
    ("./node_modules/.bin/tsc", &[BIN, TSC], "allow"),
    ("./node_modules/.bin/tsc", &["/h/w/p/node_modules/.bin/tsc>/bin/tsc"], "path-outside"),
    ("tsc --outDir CLAUDE.md", &[], "protected"),
    ("eslint .", &["/h/w/eslint.config.js"], "path-outside"),
    ("eslint .", &["/h/w/eslint.config.js", "/h/w/p/eslint.config.mjs"], "allow"),
    ("cd a && eslint f", &["/h/w/eslint.config.js", "/h/w/p/a/eslint.config.js"], "allow"),
    ("vitest run", &["/h/w/vitest.config.ts"], "path-outside"),
    ("vitest run", &["/h/w/vitest.config.ts", "/h/w/p/vite.config.ts"], "allow"),
    ("vite build", &["/h/w/vite.config.ts"], "allow"),
    ("biome check", &["/h/w/biome.json", "/h/w/p/biome.json"], "path-outside"),
    ("rspec", &["/h/w/spec/a"], "path-outside"),
    ("dotnet build", &["/h/w/Directory.Solution.props"], "path-outside"),
    ("mypy .", &["/h/w/__init__.py"], "path-outside"),
    // A file is looked for from where its own directory is, too.
    ("cd a && eslint ../c/f", &["/h/w/eslint.config.js", "/h/w/p/a/eslint.config.js"], "path-outside"),
    // Commands that run others.
    ("poetry run pytest -q", &[], "allow"),
    ("poetry run pytest -p x", &[], "undeclared-option"),
    ("poetry run python x.py", &[], "undeclared-option"),
    ("uv run --no-sync pytest", &["/h/w/pyproject.toml"], "path-outside"),
    ("uv run pytest", &[], "undeclared-option"),
    ("bundle exec rspec", &["/h/w/Gemfile"], "path-outside"),
    ("bundle exec rm a", &[], "undeclared-verb"),
    ("./gradlew build", &["/h/w/p/gradlew"], "allow"),
    ("./gradlew build", &["/h/w/p/gradlew>../out/x"], "path-outside"),
    // It opens no way for others.
    ("cargo test > a/log", &[], "writes"),
    ("cargo test && rm a/f", &[], "undeclared-verb"),
];

#[test]
fn lines_are_judged_as_the_table_says() {
    let mut wrong = Vec::new();
    for (line, more, expected) in ROWS {
        let answer = answer(&Asked::from(line).verdict(&tree(more)));
        if answer != *expected {
            wrong.push(format!("{line:?} with {more:?}: {answer}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every way to write what leaves, runs something else, or rewrites sources.
// tidy: table
#[rustfmt::skip]
const REFUSED: &[&str] = &[
    "npm run x --prefix=../out", "npm run x -C ../out", "npm run x -C=../out",
    "npm run x --script-shell ./x", "npm run x -- --script-shell=./x",
    "npm --script-shell=./x run x", "npm --node-options=--require=./x run x",
    "cargo test --manifest-path=../out/Cargo.toml", "cargo test --config=../x",
    "cargo --config=../x test", "cargo build --artifact-dir ../x", "pnpm --dir=../out test",
    "pnpm test --dir ../out", "pnpm -C../out test", "make -C.. all", "make -f/etc/x all",
    "make -I/etc all", "make --file=../x all", "make -sC ../out all", "make -sf ../out/x all",
    "make all SHELL=x", "make all -- --eval=x", "make -- --eval=x", "ninja -C../out",
    "pytest -c../x", "pytest -c ../x", "pytest --rootdir=..", "pytest -p no:cacheprovider",
    "pytest -pevil", "pytest -xpevil", "pytest --override-ini=addopts=x",
    "pytest --import-mode=importlib ../out", "go test -C=../out ./...", "go test -C ../out ./...",
    "go build -o=/tmp/x", "go build -o ../x ./...", "go test -exec=x ./...",
    "go vet -vettool x ./...", "go build -toolexec=x", "go test -args x", "go run ./x",
    "npx -- tsc -p ../out", "npx tsc --project ../out/tsconfig.json", "npx --yes cowsay",
    "npx -y tsc -p ..", "ruff check --cache-dir /tmp/x", "bun --cwd=.. test", "bun run /etc/x",
    "bun run --cwd .. x", "bun run -F ../x y", "node --test ../out", "node --test --require ./x",
    "node -r ./x --test", "node --check ../out/x", "python -m compileall ..",
    "python -m unittest discover -s ..", "python -m unittest -s..", "python -m pytest -p x",
    "python -Im pytest", "mvn -f=../pom.xml test", "mvn -f ../pom.xml test",
    "mvn test -Dmaven.repo.local=/tmp/x", "mvn -Dtest=../x test", "gradle -p.. build",
    "gradle build -p ..", "./gradlew build --init-script x", "jest --rootDir=..", "jest --roots ..",
    "jest --roots=/etc", "jest --config=../x", "vitest run --root ..", "vitest run --root=/etc",
    "vitest --reporter ./x", "npm test --workspace ../out", "cmake --build ../b",
    "cmake --build b -- -C/etc", "ctest --test-dir=..", "meson test -C ..",
    "go test ./... -args ../x", "eslint -c ../x .", "eslint --rulesdir=x .", "eslint . --fix",
    "eslint --fix-dry-run .", "prettier --check --plugin=./x .", "prettier --check --write .",
    "prettier -cw .", "prettier -c -w .", "black . --check --code x", "biome check --write",
    "turbo run build --cwd ..", "yarn --cwd .. test", "yarn --cwd=.. test", "yarn node x.js",
    "yarn dlx x", "rspec -r ./x", "rspec -I.", "rspec -fX", "rspec ../out", "rubocop -a x",
    "rubocop -Pa", "rake -f ../Rakefile test", "rake test X=../y", "bundle exec ruby -e x",
    "bundle exec bash -c x", "poetry run bash -c x", "poetry run python -c x",
    "uv run --no-sync python x.py", "uv run --no-sync bash", "uv run --no-sync --project .. pytest",
    "php -l ../x", "php -r x", "terraform -chdir=.. validate", "terraform fmt -check ..",
    "terraform fmt -check=false", "shellcheck ../x", "hadolint ../D", "dotnet build ../x.sln",
    "dotnet build /p:X=y", "dotnet build -p:X=y", "dotnet test @x", "tsc @x", "mypy @x",
    "swift build --package-path ..", "composer validate -d ..", "zig build --build-file ../x",
    "stack test --stack-yaml ../x", "dart analyze ..", "flutter test ../x",
    "golangci-lint run -c ../x", "cargo fmt -- --check ../x/../y", "tsc --outDir ..",
    "tsc --outDir .git", "npx eslint 'src/../../out'", "npm run x -- ~/y", "npm run x -- '~/y'",
    "make x/../../y", "make /etc/x", "pytest tests/../../out", "next build ..",
    "vite build --outDir=..", "pnpm test --config.script-shell=./x", "pytest --cov-report=html:../x",
    "pytest --cov-report html:.git", "npm run -s true env", "npm run --if-present null env",
    "pnpm run --silent true env", "jest -tu", "mocha -gw a", "next lint --strict", "arch -x86_64 ls",
    "df -t ../out", "fmt -p ../out", "grep --context 3 ../out",
];

#[test]
fn what_leaves_or_runs_something_else_asks_without_a_view() {
    let asks = |line: &&&str| Asked::from(line).verdict(&NoView).decision == Decision::Ask;
    let allowed: Vec<_> = REFUSED.iter().filter(|line| !asks(line)).collect();
    assert!(allowed.is_empty(), "{allowed:?}");
}

/// The name by which the shell came to its directory is a way up as well.
#[test]
fn what_stands_above_the_logical_directory_counts() {
    let view = tree(&["/h/l/p>/h/w/p", "/h/l/go.mod"]);
    let asked = Asked { cwd: "/h/l/p", ..Asked::from("go build") };
    assert_eq!(answer(&asked.verdict(&view)), "path-outside");
    assert_eq!(answer(&Asked::from("go build").verdict(&view)), "allow");
}

/// Some tools take a name away for `..`, before the system sees the path: from behind a link they
/// go up elsewhere, also where the path is nothing but the way up.
#[test]
fn a_way_up_is_read_by_its_text_as_well() {
    let view = tree(&["/h/w/p/k>a/b"]);
    for verb in ["pytest", "ruff check", "cargo test --manifest-path"] {
        let said = |line: String| answer(&Asked::from(&line).verdict(&view));
        assert_eq!(said(format!("cd a/b && {verb} ../..")), "allow", "{verb}");
        assert_eq!(said(format!("cd k && {verb} ../..")), "path-outside", "{verb}");
    }
}

#[test]
fn without_a_view_nothing_is_found() {
    for line in ["npx tsc --noEmit", "cargo test", "pytest", "bunx vitest run"] {
        let verdict = Asked::from(line).verdict(&NoView);
        assert!(verdict.lexical && verdict.decision == Decision::Allow, "{line}");
    }
    let outside = Asked::from("npx tsc -p ../out").verdict(&NoView);
    assert_eq!(answer(&outside), "path-outside");
}

#[test]
fn a_profile_that_reads_does_not_build() {
    for (line, profile, expected) in [
        ("cargo test", Profile::Read, "undeclared-verb"),
        ("node --version", Profile::Read, "undeclared-verb"),
        ("cat a/f", Profile::Read, "allow"),
        ("cargo test", Profile::Edit, "allow"),
    ] {
        let asked = Asked { profile, ..Asked::from(line) };
        assert_eq!(answer(&asked.verdict(&tree(&[]))), expected, "{line} {profile}");
    }
}

/// What a tool makes goes where its words say, but not over what git tracks.
#[test]
fn outputs_do_not_take_the_place_of_sources() {
    // gitformat-index(5): one entry, of version 2.
    let mut entry = vec![0; 62];
    entry.extend(b"src/x");
    entry.resize((entry.len() / 8 + 1) * 8, 0);
    let index = [&b"DIRC\0\0\0\x02\0\0\0\x01"[..], &entry, &[0; 20]].concat();
    let mut view = tree(&["/h/w/p/src/x", "/h/w/p/src/y", "/h/w/p/dist/z", "/h/w/p/x"]);
    view.file("/h/w/p/.git/HEAD", "ref: refs/heads/x").file("/h/w/p/.git/index", index);
    view.dir("/h/w/p/.git/objects").dir("/h/w/p/.git/refs");
    for (line, expected) in [
        ("ruff check -o src/x", "writes"),
        ("cd src && ruff check -o x", "writes"),
        ("ruff check -o src/y", "allow"),
        ("ruff check -o src/new", "allow"),
        ("ruff check -o x", "allow"),
        ("ruff check --output-file=src/x", "writes"),
        ("pytest --junitxml=src/x", "writes"),
        ("pytest --cov-report html:src", "writes"),
        ("pytest --cov-report html:htmlcov", "allow"),
        ("tsc --outDir src", "writes"),
        ("tsc --outDir dist", "allow"),
        ("vite build --outDir .", "writes"),
        ("go build -o bin/x ./...", "allow"),
        ("jest --coverage --coverageDirectory=src", "writes"),
        ("cargo build --target-dir src", "writes"),
        ("flake8 --output-file src/x", "writes"),
    ] {
        assert_eq!(answer(&Asked::from(line).verdict(&view)), expected, "{line}");
    }
    let edits = Asked { profile: Profile::Edit, ..Asked::from("ruff check -o src/x") };
    assert_eq!(answer(&edits.verdict(&view)), "allow");
    view.file("/h/w/p/.git/index", "odd");
    assert_eq!(answer(&Asked::from("ruff check -o x").verdict(&view)), "writes");
}

/// A variable that changes a build asks where there is one.
#[test]
fn governing_variables_ask_where_they_govern() {
    for (line, name, expected) in [
        ("make test", "MAKEFLAGS", "environment"),
        ("ls", "MAKEFLAGS", "allow"),
        ("ls; npm test", "NODE_OPTIONS", "environment"),
        ("ls", "GREP_OPTIONS", "allow"),
        ("grep a b", "GREP_OPTIONS", "environment"),
        ("npm run x", "Npm_Config_Script_Shell", "environment"),
        ("uv run --no-sync flake8", "PYTHONPATH", "environment"),
        ("meson test", "PYTHONPATH", "environment"),
        ("cargo t", "CARGO_ALIAS_T", "environment"),
        ("ls", "POSIXLY_CORRECT", "environment"),
        ("ls", "BASH_COMPAT", "environment"),
        ("git log", "GIT_TRACE", "environment"),
        ("npm test", "npm_config_prefix", "environment"),
        ("npm test", "NPM_CONFIG_script-shell", "environment"),
        ("npm test", "PREFIX", "environment"),
        ("rspec", "BUNDLE_GEMFILE", "environment"),
        ("go build", "GIT_DIR", "environment"),
        ("mvn test", "MAVEN_PROJECTBASEDIR", "environment"),
        ("vite build", "ESBUILD_BINARY_PATH", "environment"),
        ("jest", "TS_NODE_PROJECT", "environment"),
        ("go build", "GOCACHEPROG", "environment"),
        ("make all", "VPATH", "environment"),
        ("rake test", "TEST", "environment"),
    ] {
        let env = Env::from([(name.as_bytes().to_vec(), b"x".to_vec())]);
        assert_eq!(
            answer(&Asked { env, ..Asked::from(line) }.verdict(&tree(&[]))),
            expected,
            "{line}"
        );
        assert!(shfence::is_governing(name.as_bytes()));
    }
}

/// The plan says that a build writes below the root, and nothing else does.
#[test]
fn only_builds_write() {
    let writes = |line| {
        let verdict = Asked::from(line).verdict(&tree(&[]));
        let plan = verdict.plan.expect("it is understood");
        let paths = plan.segments.into_iter().flat_map(|it| it.paths);
        let writes = paths.filter(|it| matches!(it.role, Role::Build | Role::Write));
        writes.map(|it| (it.path.to_string(), it.under)).collect::<Vec<_>>()
    };
    assert_eq!(writes("cd a; cargo test"), [("/h/w/p".to_owned(), true)]);
    assert_eq!(writes("cat a/f; ls"), []);
}

/// Long lines of what takes most work: commands within commands, and directories to look above.
#[test]
fn hostile_lines_are_refused() {
    let nested = "poetry run ".repeat(900) + "pytest";
    let names = (0..2_000).map(|number| format!("d{number}/x"));
    let wide = format!("jest {}", names.collect::<Vec<_>>().join(" "));
    for (line, expected) in [
        (&nested, "not-understood/opaque-command"),
        (&wide, "path-unresolved"),
        (&format!("jest {}", "a:".repeat(30_000)), "path-unresolved"),
    ] {
        let verdict = Asked::from(line).verdict(&tree(&[]));
        assert_eq!(answer(&verdict), expected, "{}", &line[..40]);
    }
}

/// What stands against a line names the file that was found.
#[test]
fn the_reason_names_the_file() {
    let verdict = Asked::from("pytest").verdict(&tree(&["/h/w/tox.ini"]));
    let [reason] = &verdict.reasons[..] else { panic!("{:?}", verdict.reasons) };
    assert_eq!(reason.code, Code::PathOutside);
    assert!(reason.note.contains("/h/w/tox.ini"), "{}", reason.note);
}
