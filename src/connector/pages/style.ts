/** The one style sheet of all pages; follows the system's light or dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f1, #14171a);
  --card: light-dark(#ffffff, #1c2024);
  --ink: light-dark(#1d2420, #e8ebe9);
  --faint: light-dark(#59635d, #a0aaa5);
  --line: light-dark(#d9ddd6, #343a3f);
  --edge: light-dark(#7d8781, #79837e);
  --accent: light-dark(#0b6b53, #5cd0ae);
  --on-accent: light-dark(#ffffff, #0c231c);
  --wash: light-dark(#eaf3ee, #20302a);
  --warn: light-dark(#8a3a12, #f3ae84);
  --warn-wash: light-dark(#fbeee5, #35251b);
  --danger: light-dark(#a52a1e, #f19a8e);
  --on-danger: light-dark(#ffffff, #2b0d09);
}
* { box-sizing: border-box }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; scroll-padding-top: 1rem }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); display: flex; flex-direction: column }
header, footer { padding: 1rem 1.25rem; display: flex; gap: 1rem; align-items: center; justify-content: space-between }
header { max-width: 44rem; width: 100%; margin: 0 auto }
header a { color: inherit; text-decoration: none; font-weight: 650; letter-spacing: -.01em }
.skip { position: absolute; left: .9rem; top: -4rem; padding: .5rem 1rem; border-radius: 0 0 10px 10px; background: var(--accent); color: var(--on-accent) }
.skip:focus { top: 0 }
.mark { display: inline-block; width: .8em; height: .8em; margin-right: .55em; border-radius: 50% 50% 50% 12%; background: var(--accent) }
footer { justify-content: center; color: var(--faint); font-size: .875rem; margin-top: auto }
footer a { color: inherit }
main { width: 100%; max-width: 44rem; margin: 0 auto; padding: .5rem 1.25rem 2.5rem }
main a { color: var(--accent) }
main.narrow { max-width: 29rem; margin-top: 6vh }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.02em; margin: 0 0 .4rem; overflow-wrap: anywhere }
h2 { font-size: 1.06rem; margin: 0 0 .25rem }
h3 { font-size: 1rem; margin: 1.6rem 0 .25rem }
.log + h2 { margin-top: 1.5rem }
p { margin: .4rem 0; overflow-wrap: anywhere }
.lead, .note { color: var(--faint) }
.note { font-size: .925rem }
.top { display: flex; gap: 1rem; align-items: flex-start; justify-content: space-between }
.top form { flex: none }
.contents { list-style: none; margin: .6rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: .925rem }
.contents a { display: inline-block; padding: .25rem 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.35rem 1.4rem; margin-top: 1.1rem }
.narrow .card { padding: 1.7rem 1.6rem }
.owners { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: .9rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.4rem; margin: .7rem 0 0 }
dt { color: var(--faint) }
dd { margin: 0; overflow-wrap: anywhere }
ul { padding-left: 1.2rem; margin: .6rem 0 }
ul:not(.plain, .contents) > li + li { margin-top: .3rem }
ul.plain { list-style: none; margin: .9rem 0 0; padding: 0 }
ul.plain > li { border-top: 1px solid var(--line) }
ul.plain > li:first-child { border-top: 0 }
.log > li { padding: .35rem 0; overflow-wrap: anywhere }
.log > li:target { background: var(--wash) }
.items > li { display: flex; gap: 1rem; align-items: flex-start; justify-content: space-between; padding: .8rem 0 }
.items > li:last-child { padding-bottom: 0 }
.items > li > div { min-width: 0; overflow-wrap: anywhere }
.items > li > :last-child { flex: none }
label.row { display: flex; align-items: center; gap: .8rem; padding: .65rem .2rem; cursor: pointer; overflow-wrap: anywhere }
label.row > span { min-width: 0 }
input[type=checkbox], input[type=radio] { width: 1.2rem; height: 1.2rem; margin: 0; flex: none; accent-color: var(--accent) }
fieldset { border: 0; margin: .9rem 0 0; padding: 0; min-width: 0 }
legend { padding: 0; font-weight: 600; font-size: .925rem }
fieldset ul.plain { margin-top: .2rem }
details { margin-top: .9rem; border-top: 1px solid var(--line); padding-top: .7rem }
details + details { margin-top: .7rem }
ul.items details { margin-top: .2rem; border-top: 0; padding-top: 0 }
ul.items summary { font-size: .925rem }
summary { cursor: pointer; padding: .25rem .1rem; font-weight: 600; color: var(--accent); border-radius: 6px }
.field { margin-top: .8rem }
.field label { display: block; font-weight: 600; font-size: .925rem; margin-bottom: .3rem }
.field input, .field select { font: inherit; width: 100%; max-width: 24rem; padding: .55rem .75rem; border-radius: 10px; border: 1px solid var(--edge);
  background: var(--ground); color: var(--ink) }
.field .search { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center }
.field .search input { flex: 1 1 12rem }
.fields { display: flex; flex-wrap: wrap; gap: .8rem 1rem; align-items: flex-end }
.fields .field { flex: 1 1 9rem; min-width: 0; margin-top: 0 }
.fields .field:has([type=search]) { flex-grow: 2 }
.fields .actions { margin-top: 0 }
.field input[aria-invalid] { border-color: var(--danger) }
.refused { color: var(--danger); font-size: .925rem; font-weight: 600 }
.scope { display: flex; gap: .75rem; padding: .7rem .2rem }
.scope::before { content: "✓"; color: var(--accent); font-weight: 700 }
code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; background: var(--wash); border-radius: 5px; padding: .1em .35em; overflow-wrap: anywhere }
.whole { white-space: nowrap }
.copy { user-select: all }
.actions { display: flex; flex-wrap: wrap; gap: .7rem; margin-top: 1.3rem }
.button { display: inline-block; font: inherit; font-weight: 600; line-height: 1.3; padding: .68rem 1.25rem; border-radius: 10px; border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent); text-decoration: none; text-align: center; cursor: pointer }
main a.button { color: var(--on-accent) }
.button.quiet, main a.button.quiet { background: transparent; color: var(--ink); border-color: var(--edge); font-weight: 500 }
.button.danger { background: var(--danger); border-color: var(--danger); color: var(--on-danger) }
.button.small { padding: .4rem .9rem; font-size: .925rem }
.button.copies { padding: .15rem .6rem; margin: .2rem 0 }
.button:hover { filter: brightness(1.07) }
.narrow .actions .button { flex: 1 1 9rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.notice { border-radius: 12px; padding: .8rem 1.1rem; margin-top: 1rem; background: var(--wash); border: 1px solid var(--line); overflow-wrap: anywhere }
h2 + .notice { margin: .7rem 0 .9rem }
.notice.warn { background: var(--warn-wash); color: var(--warn) }
.badge { display: inline-block; padding: .08rem .6rem; border-radius: 99px; font-size: .875rem; background: var(--wash); color: var(--accent) }
.badge.off { background: transparent; border: 1px solid var(--line); color: var(--faint) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (max-width: 32rem) {
  header { padding-inline: .9rem }
  main, main.narrow { margin-top: 0; padding: .25rem .9rem 2rem }
  dl { grid-template-columns: 1fr; gap: 0 }
  dd { margin-bottom: .5rem }
  .card { padding: 1.15rem 1.05rem }
  .actions .button { flex: 1 1 100% }
  .items > li { flex-wrap: wrap; gap: .4rem 1rem }
  .field input, .field select { max-width: none }
  .fields > .field, .fields > .actions { flex-basis: 100% }
}
`;

/** The mark of the header, for browser tabs. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b6b53" d="M8 1a7 7 0 1 1 0 14H2.7A1.7 1.7 0 0 1 1 13.3V8a7 7 0 0 1 7-7z"/></svg>
`;
