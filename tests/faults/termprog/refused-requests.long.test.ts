import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { openInProcess } from '../../harness/open-in-process.ts';
import { startRefusingServer } from '../../harness/refusing-x-server.ts';
import { compareInk } from '../../integration/termprog/pixels.ts';

const OUTLINE = ['*faceName: DejaVu Sans Mono', '*faceSize: 11'];
const BITMAP: string[] = [];

const SCRIPT = `printf 'text \\342\\226\\223\\342\\224\\200 \\360\\237\\232\\200 \\033[1mbold\\033[m \\033[3mitalic\\033[m\\033[?25l'; sleep 60`;

/** Extensions have codes from here on; the terminal draws with one of them. */
const FIRST_EXTENSION = 128;

const core = (code: number) => (request: Buffer) => request[0] === code;
const render =
  (code: number, words = 0) =>
  (request: Buffer) =>
    (request[0] ?? 0) >= FIRST_EXTENSION && request[1] === code && (words === 0 || request.readUInt16LE(2) === words);

const cases: [string, string[], (request: Buffer) => boolean][] = [
  ['pictures of the window', OUTLINE, render(4, 5)],
  ['sets of glyphs', OUTLINE, render(17)],
  ['glyphs', OUTLINE, render(20)],
  ['colours of text', OUTLINE, render(33)],
  ['text', OUTLINE, render(25)],
  // Other extensions have a request of that number, too, of another length.
  ['pictures with colours', OUTLINE, render(8, 9)],
  ['pixmaps of pictures with colours', OUTLINE, core(53)],
  ['pixels of pictures with colours', OUTLINE, core(72)],
  ['rectangles beside outline fonts', OUTLINE, core(70)],
  ['graphics contexts', BITMAP, core(55)],
  ['pixmaps of procedural glyphs', BITMAP, core(53)],
  ['rectangles', BITMAP, core(70)],
  ['text of bitmap fonts', BITMAP, (request) => request[0] === 76 || request[0] === 77],
];

for (const [what, resources, isKind] of cases) {
  test(`${what} that the server refuses once are there in the end`, async ({ desktop }) => {
    let left = 1;
    await using server = await startRefusingServer(desktop.environment.DISPLAY, (request) => {
      if (left === 0 || !isKind(request)) return false;
      left -= 1;
      return true;
    });
    await using whole = await openInProcess(desktop, {
      resources: [...resources, '*geometry: 30x5+0+400'],
      script: SCRIPT,
    });
    await using terminal = await openInProcess(
      { environment: { ...desktop.environment, DISPLAY: server.display } },
      { resources: [...resources, '*geometry: 30x5'], script: SCRIPT },
    );
    await waitFor('a request is refused', () => (server.refused() > 0 ? true : undefined));

    const compared = await waitFor('both show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await whole.screenshot());
      return ink.inked > 60 && ink.equal === ink.inked ? ink : undefined;
    });

    expect(compared.equal).toBe(compared.inked);
    expect(terminal.lines.join('')).toContain('refused a request');
  });
}
