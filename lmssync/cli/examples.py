"""For each command, lines to copy: what to type, and what it does."""

from collections.abc import Mapping, Sequence

EXAMPLES: Mapping[str, Sequence[tuple[str, str]]] = {
    "": (
        ("lmssync init content", "start a catalog"),
        ("lmssync validate", "check it; needs no network"),
        ("lmssync plan", "show what would change on the platform"),
        ("lmssync apply", "show it, ask, and apply it"),
        ("lmssync apply --help", "the options, examples and exit codes of one command"),
    ),
    "init": (
        ("lmssync init content", "lay out a new catalog in the folder content"),
        ("lmssync init --git content", "the same, as a git repository"),
        ("lmssync init --ci gitlab content", "with pipelines for GitLab alone"),
    ),
    "new": (
        ("lmssync new course fire-safety", "start a course"),
        ("lmssync new course tidy-desk --kind microCourse", "start a microcourse"),
        ("lmssync new course fire-2 --from course.fire-safety", "start with a copy of a course"),
    ),
    "validate": (
        ("lmssync validate", "check the whole catalog"),
        ("lmssync validate courses/fire-safety.yaml", "show the problems of one file"),
        ("lmssync validate --changed-since main", "show the problems of what has changed"),
        ("lmssync validate --watch", "check again whenever a file changes"),
        ("lmssync validate --online -e sandbox", "ask the sandbox about what manifests name"),
    ),
    "fmt": (
        ("lmssync fmt", "put all manifests into their usual order"),
        ("lmssync fmt --diff courses", "show what would change in a folder"),
        ("lmssync fmt --check", "exit with 2 if a file is not in order"),
    ),
    "outline": (
        ("lmssync outline", "list what is in the catalog"),
        ("lmssync outline course.fire-safety", "show the parts of one course"),
        ("lmssync outline 'course.fire-*' | less", "show some courses, page by page"),
    ),
    "tags": (
        ("lmssync tags", "list the tags that the catalog uses"),
        ("lmssync tags Safety", "list what has the tag Safety"),
    ),
    "preview": (
        ("lmssync preview", "write the pages that learners will see into the folder preview"),
        ("lmssync preview --serve", "show them in the browser, and again whenever you save"),
        ("lmssync preview -e production", "mark what differs from what production has"),
    ),
    "plan": (
        ("lmssync plan", "show what would change on the platform"),
        ("lmssync plan -e production --out release.plan.json", "save the plan of one environment"),
        ("lmssync plan --detailed-exitcode", "exit with 2 if there are changes"),
        ("lmssync plan --report plan.html --report plan.md", "write a page and a comment as well"),
        ("lmssync plan --refresh all", "compare everything with the platform, not only changes"),
        ("lmssync plan --offline", "compare with what is recorded, without a key"),
        ("lmssync plan --target 'course.fire-*'", "plan some courses, with what they need"),
        ("lmssync plan --changed-since main", "plan what this branch has changed"),
    ),
    "activity": (
        ("lmssync activity learning-path record day.csv", "show what would be recorded"),
        ("lmssync activity assignment record marks.csv", "the same for assignments"),
    ),
    "activity learning-path": (
        ("lmssync activity learning-path record day.csv", "show what would be recorded"),
    ),
    "activity learning-path record": (
        ("lmssync activity learning-path record day.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity learning-path record day.csv --yes --out receipt.csv",
            "record it without asking, and write what became of each row",
        ),
        (
            "lmssync activity learning-path record day.csv --yes --not-recorded 17,20-25",
            "after a look at the platform: these rows are not there",
        ),
    ),
    "activity course": (
        ("lmssync activity course record done.csv", "show what would be recorded"),
    ),
    "activity course record": (
        ("lmssync activity course record done.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity course record done.csv --yes --out receipt.csv",
            "record it, and write what became of each row",
        ),
    ),
    "activity assignment": (
        ("lmssync activity assignment record marks.csv", "show what would be recorded"),
    ),
    "activity assignment record": (
        ("lmssync activity assignment record marks.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity assignment record marks.csv --yes --out receipt.csv",
            "record it without asking, and write what became of each row",
        ),
    ),
    "attempts": (("lmssync attempts forgive --from ids.csv", "show what would be forgiven"),),
    "attempts forgive": (
        (
            "lmssync attempts forgive 7d1c0000-0000-4000-8000-000000000901",
            "show what would be sent for one attempt, and ask",
        ),
        ("lmssync attempts forgive --from ids.csv --yes", "forgive those of a file"),
        (
            "lmssync attempts forgive --course course.safety-101 --topic check --since 7d",
            "those who failed one quiz in the last week",
        ),
    ),
    "events": (("lmssync events pull", "bring the index of learners up to date"),),
    "events pull": (
        ("lmssync events pull", "bring the index of learners up to date"),
        ("lmssync events pull --since 90d", "begin three months ago, or read these again"),
        ("lmssync events pull --kind courseAction --kind quizAttempt", "pull two of the feeds"),
    ),
    "events tail": (
        ("lmssync events tail", "print what happens, as it happens"),
        ("lmssync events tail --since 1h --kind courseAction", "begin with the last hour"),
    ),
    "events listen": (
        ("lmssync events listen", "pull whenever the platform pushes a notification"),
        ("lmssync events listen --host 0.0.0.0 --port 8850", "behind a proxy that has the TLS key"),
    ),
    "events show": (
        ("lmssync events show", "how many learners are in each course"),
        ("lmssync events show course.safety-101", "the same of one course and its quizzes"),
    ),
    "events export": (
        ("lmssync events export --since 30d > events.ndjson", "the events of a month, one a line"),
        ("lmssync events export --format parquet --out events.parquet", "all of them, as Parquet"),
    ),
    "show": (
        ("lmssync show release.plan.json", "show a saved plan"),
        ("lmssync show release.plan.json --full", "show it with every value in full"),
        ("lmssync show release.plan.json --format html > plan.html", "as a page for a browser"),
        ("lmssync show course.safety-101", "show one course: wanted, recorded, proven"),
    ),
    "apply": (
        ("lmssync apply", "show the plan, ask, and apply it"),
        ("lmssync apply --yes", "the same without asking"),
        ("lmssync apply release.plan.json", "apply the plan that was reviewed"),
        ("lmssync apply --yes --report receipt.html", "leave a page that says what was done"),
    ),
    "import": (
        ("lmssync import --all", "bring in everything that is not managed yet"),
        ("lmssync import --all --dry-run", "show what that would bring in"),
        ("lmssync import workplace-safety-101", "bring in one course, by its slug or an id"),
        ("lmssync import --from ids.csv", "bring in the courses of a list"),
        ("lmssync import --format olx course.tar.gz", "bring in an Open edX course"),
        ("lmssync import --format csv courses.csv --json", "bring in a table, report as JSON"),
        ("lmssync import --format moodle *.mbz --out new", "bring in many, into another folder"),
    ),
    "drift": (
        ("lmssync drift", "compare everything that is recorded with the platform"),
        ("lmssync drift 'course.fire-*'", "compare some of it"),
        ("lmssync drift --budget 200 --json", "make at most 200 calls, the stalest first"),
    ),
    "watch": (
        ("lmssync watch", "plan every 15 minutes; http://127.0.0.1:9464/ shows the status"),
        ("lmssync watch --apply --every 1h", "apply what no guard stops, once an hour"),
        ("lmssync watch --once --json", "one round for a job of cron, as a line of JSON"),
    ),
    "ci": (
        ("lmssync ci", "check, plan, and comment on the pull request of this job"),
        ("lmssync ci -e production --out release.plan.json", "save the plan as well"),
        ("lmssync ci --plan release.plan.json", "show a plan that another job has made"),
    ),
    "ci require": (
        ("lmssync ci require", "say which teams must approve, and fail while they have not"),
        (
            "lmssync ci require --plan release.plan.json --json",
            "the same for a saved plan, as JSON",
        ),
        ("lmssync ci require --approved-by @acme/finance", "this team has approved"),
        ("lmssync ci require --base main", "with the lines of main as well"),
    ),
    "ci drift": (("lmssync ci drift", "look for drift, and keep one issue about it up to date"),),
    "diff-env": (
        ("lmssync diff-env staging production", "list what production does not have yet"),
        ("lmssync diff-env staging production 'course.*'", "compare courses only"),
    ),
    "status": (("lmssync status", "show where things stand; needs no network"),),
    "pull": (
        ("lmssync pull course.safety-101", "write what people changed into its manifest"),
        ("lmssync pull course.safety-101:title", "one field of it"),
        ("lmssync pull course.safety-101 --dry-run", "show what that would write"),
    ),
    "adopt": (
        (
            "lmssync adopt course.safety-101=7d1c0000-0000-4000-8000-000000000001",
            "manage a course that is on the platform already",
        ),
        ("lmssync adopt --from ids.csv", "the same for each line `ADDRESS,ID` of a file"),
    ),
    "resolve": (
        ("lmssync resolve", "show what waits for a decision, and the answers to copy"),
        ("lmssync resolve course.safety-101 --done", "its manual steps have been done"),
        ("lmssync resolve course.safety-101 --not-created", "it is not on the platform"),
        ("lmssync resolve --from answers.csv", "an answer in each line of a file"),
    ),
    "state": (("lmssync state list", "list what is recorded, and what waits"),),
    "state list": (
        ("lmssync state list", "list what is recorded, and what waits"),
        ("lmssync state list 'course.safety-*'", "list some of it"),
        ("lmssync state list --json", "the same for a program"),
    ),
    "state show": (
        ("lmssync state show course.safety-101", "show everything that is recorded about a course"),
    ),
    "state history": (
        ("lmssync state history", "all that has happened, newest last"),
        ("lmssync state history course.safety-101", "what has happened to one course"),
        ("lmssync state history --since 2027-01-31 --limit 20", "the last lines since a day"),
    ),
    "state forget": (
        ("lmssync state forget course.safety-101", "stop managing a course; it stays there"),
    ),
    "state at": (
        ("lmssync state at 2027-01-31T08:00", "what was recorded then"),
        ("lmssync state at 42 --json", "the state of serial 42 as a document"),
    ),
    "state verify": (("lmssync state verify", "prove that nothing of the state was changed"),),
    "state unlock": (
        ("lmssync state unlock", "show which run holds the state, and ask"),
        ("lmssync state unlock --yes", "take the state from it"),
    ),
    "state move": (
        ("lmssync state move git:origin#lmssync/{environment}", "share it with the team"),
    ),
    "state key": (("lmssync state key people.key", "the key that a shared state does not hold"),),
    "state export": (
        ("lmssync state export state.json", "write all that is recorded into a file"),
        ("lmssync state export > state.json", "the same"),
    ),
    "state import": (
        ("lmssync state import state.json", "make a state from that file"),
        ("lmssync state import state.json --force", "go back to it"),
    ),
    "state rm": (
        ("lmssync state rm 'course.old-*'", "stop managing some courses; they stay there"),
        ("lmssync state rm 'course.old-*' --dry-run", "only say which"),
    ),
    "state mv": (
        ("lmssync state mv course.safety course.safety-101", "another key for what is recorded"),
    ),
    "state rebind": (
        ("lmssync state rebind https://new.example.com", "the platform has a new address"),
    ),
    "export": (
        ("lmssync export course.safety-101", "print a course as it was applied"),
        ("lmssync export --out exported", "write everything into a folder"),
    ),
    "jobs": (("lmssync jobs list", "list the jobs that the state waits for"),),
    "jobs list": (
        ("lmssync jobs list", "list the jobs that the state waits for"),
        ("lmssync jobs list --json", "the same for a program"),
    ),
    "jobs watch": (
        ("lmssync jobs watch", "wait until they have ended"),
        ("lmssync jobs watch 7d1c0000-0000-4000-8000-000000000001", "wait for one, also of others"),
        ("lmssync jobs watch --timeout 5 --json", "no longer than 5 minutes, for a program"),
    ),
    "get": (
        ("lmssync get", "say what can be listed, and by which filters"),
        ("lmssync get tags --all", "list all tags"),
        ("lmssync get clients --filter query=acme --sort -name", "search the clients"),
        ("lmssync get assets --filter tagIds=Safety --json", "for a program"),
        ("lmssync get paths course.safety-101", "list the purchase paths of a course"),
        ("lmssync get sessions course.safety-101", "list the sessions of its course group"),
        ("lmssync get users license.staff", "list those who hold a license"),
        ("lmssync get users --all --format csv --out users.csv", "into a file that only you read"),
    ),
    "doctor": (
        ("lmssync doctor", "check the project file, the key and the platform"),
        ("lmssync doctor --probe", "find out what the instance has, and print it for lmssync.yaml"),
    ),
    "schema": (
        ("lmssync schema course", "print the schema of a course"),
        ("lmssync schema --out schemas", "write all schemas into a folder"),
        ("lmssync schema --online --out schemas", "the same, with the tags and clients there are"),
    ),
    "explain": (
        ("lmssync explain percent-range", "explain a rule"),
        ("lmssync explain course.priceInCents", "explain a field"),
    ),
    "completion": (
        ("lmssync completion bash", 'in ~/.bashrc: eval "$(lmssync completion bash)"'),
        ("lmssync completion zsh", "the same in ~/.zshrc, after compinit"),
        ("lmssync completion fish", "for ~/.config/fish/completions/lmssync.fish"),
    ),
    "sandbox": (("lmssync sandbox serve", "a platform at http://127.0.0.1:8800 until Ctrl-C"),),
    "sandbox serve": (
        ("lmssync sandbox serve", "a platform at http://127.0.0.1:8800 until Ctrl-C"),
        ("lmssync sandbox serve --data .sandbox", "the same, keeping its data in a folder"),
    ),
    "sandbox learners": (
        ("lmssync sandbox learners --n 500", "add 500 people who learn in it"),
        ("lmssync sandbox learners course.safety-101", "all of them in this course"),
        ("lmssync sandbox learners license.staff --n 20", "with seats of this license"),
    ),
    "demo": (("lmssync demo", "watch the example catalog being applied to a sandbox"),),
}
"""By the full name of a command or group; the program itself is "". A test tries each line."""
