/** The one style sheet of all pages; follows the system's light or dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f1, #14171a);
  --card: light-dark(#ffffff, #1c2024);
  --ink: light-dark(#1d2420, #e8ebe9);
  --faint: light-dark(#59635d, #a0aaa5);
  --line: light-dark(#d9ddd6, #343a3f);
  --accent: light-dark(#0b6b53, #5cd0ae);
  --on-accent: light-dark(#ffffff, #0c231c);
  --wash: light-dark(#eaf3ee, #20302a);
  --warn: light-dark(#8a3a12, #f3ae84);
  --warn-wash: light-dark(#fbeee5, #35251b);
}
* { box-sizing: border-box }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); display: flex; flex-direction: column }
header, footer { padding: 1rem 1.25rem; display: flex; gap: 1rem; align-items: center; justify-content: space-between }
header { max-width: 44rem; width: 100%; margin: 0 auto }
header a { color: inherit; text-decoration: none; font-weight: 650; letter-spacing: -.01em }
.mark { display: inline-block; width: .8em; height: .8em; margin-right: .55em; border-radius: 50% 50% 50% 12%; background: var(--accent) }
footer { justify-content: center; color: var(--faint); font-size: .875rem; margin-top: auto }
footer a { color: inherit }
main { width: 100%; max-width: 44rem; margin: 0 auto; padding: .5rem 1.25rem 2.5rem }
main.narrow { max-width: 29rem; margin-top: 6vh }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.02em; margin: 0 0 .4rem; overflow-wrap: anywhere }
h2 { font-size: 1.06rem; margin: 0 0 .25rem }
p { margin: .4rem 0 }
.lead, .note { color: var(--faint) }
.note { font-size: .925rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.35rem 1.4rem; margin-top: 1.1rem }
.narrow .card { padding: 1.7rem 1.6rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.4rem; margin: .7rem 0 0 }
dt { color: var(--faint) }
dd { margin: 0; overflow-wrap: anywhere }
ul.plain { list-style: none; margin: .9rem 0 0; padding: 0 }
ul.plain > li { border-top: 1px solid var(--line) }
ul.plain > li:first-child { border-top: 0 }
label.row { display: flex; align-items: center; gap: .8rem; padding: .65rem .2rem; cursor: pointer; overflow-wrap: anywhere }
input[type=checkbox] { width: 1.2rem; height: 1.2rem; flex: none; accent-color: var(--accent) }
.scope { display: flex; gap: .75rem; padding: .7rem .2rem }
.scope::before { content: "✓"; color: var(--accent); font-weight: 700 }
code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; background: var(--wash); border-radius: 5px; padding: .1em .35em; overflow-wrap: anywhere }
.actions { display: flex; flex-wrap: wrap; gap: .7rem; margin-top: 1.3rem }
.button { font: inherit; font-weight: 600; line-height: 1.3; padding: .68rem 1.25rem; border-radius: 10px; border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent); text-decoration: none; text-align: center; cursor: pointer }
.button.quiet { background: transparent; color: var(--ink); border-color: var(--line); font-weight: 500 }
.button.small { padding: .4rem .9rem; font-size: .925rem }
.button:hover { filter: brightness(1.07) }
.narrow .actions .button { flex: 1 1 9rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.notice { border-radius: 12px; padding: .8rem 1.1rem; margin-top: 1rem; background: var(--wash); border: 1px solid var(--line) }
.notice.warn { background: var(--warn-wash); color: var(--warn) }
.badge { display: inline-block; padding: .08rem .6rem; border-radius: 99px; font-size: .875rem; background: var(--wash); color: var(--accent) }
.badge.off { background: transparent; border: 1px solid var(--line); color: var(--faint) }
form.end { margin: 1.6rem 0 0 }
@media (max-width: 32rem) {
  header { padding-inline: .9rem }
  main, main.narrow { margin-top: 0; padding: .25rem .9rem 2rem }
  dl { grid-template-columns: 1fr; gap: 0 }
  dd { margin-bottom: .5rem }
  .actions .button { flex: 1 1 100% }
}
`;

/** The mark of the header, for browser tabs. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b6b53" d="M8 1a7 7 0 1 1 0 14H2.7A1.7 1.7 0 0 1 1 13.3V8a7 7 0 0 1 7-7z"/></svg>
`;
