import { Html, html, NOTHING } from './html.ts';

export interface PageContent {
  title: string;
  body: Html;
  /** Further elements of the document's head. */
  head?: Html;
  /** A narrow page in the middle of the screen, for one decision. */
  isNarrow?: boolean;
}

/** A whole document; it works without scripts, and has only the one that its head names. */
export function page({ title, body, head = NOTHING, isNarrow = false }: PageContent): string {
  return html`${new Html('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Homeport</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
${head}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a href="/"><span class="mark" aria-hidden="true"></span>Homeport</a></header>
<main id="content"${isNarrow ? new Html(' class="narrow"') : NOTHING}>
${body}
</main>
<footer><a href="/privacy">Privacy</a></footer>
</body>
</html>
`.source;
}

/** A page that says what went wrong and what to do next. */
export function messagePage(title: string, message: string, action: { href: string; label: string }): string {
  return page({
    title,
    isNarrow: true,
    body: html`<div class="card">
<h1>${title}</h1>
<p class="lead">${message}</p>
<div class="actions"><a class="button" href="${action.href}">${action.label}</a></div>
</div>`,
  });
}
