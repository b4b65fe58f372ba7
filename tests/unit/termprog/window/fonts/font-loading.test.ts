import { expect, test } from 'vitest';
import { waitFor } from '../../../../../scripts/stack/wait-for.ts';
import { type FontSet, NO_STYLES, openFirstFont } from '../../../../../src/termprog/fonts/font-set.ts';
import { FontLoading } from '../../../../../src/termprog/window/fonts/font-loading.ts';
import { startLibraryServer } from '../../x11/library-server.ts';

const MEDIUM = '-a-b-medium-r-normal--13-120-75-75-c-70-iso8859-1';

async function start(warnings: string[] = []) {
  const server = await startLibraryServer();
  const connection = await server.connect();
  const diagnostics = {
    debug: () => {},
    info: () => {},
    warning: (line: string) => warnings.push(line),
    error: () => {},
  };
  const font = await openFirstFont(connection, 'any', diagnostics);
  const opened: FontSet[] = [];
  const loading = new FontLoading({
    connection,
    first: { ...font, xlfd: MEDIUM, fullNameAtom: 18 },
    settings: NO_STYLES,
    diagnostics,
  });
  loading.listen(({ set }) => opened.push(set));
  return { server, connection, loading, opened };
}

test('only the bold form is opened when it is wanted', async () => {
  const { server, loading, opened } = await start();
  await using _ = server;
  expect(loading.fonts.set.bold).toBeUndefined();

  loading.wantBold();
  await waitFor('it is open', () => opened.length > 0);

  expect(loading.fonts.set.bold?.name).toContain('-bold-');
  expect([loading.fonts.set.normalUnicode, loading.fonts.set.wide]).toEqual([undefined, undefined]);
});

test('fonts with more characters are opened once, behind the bold form, when a character is missing', async () => {
  const { server, loading, opened } = await start();
  await using _ = server;

  loading.wantWider();
  loading.wantWider();
  loading.wantBold();
  await waitFor('all are open', () => opened.length > 1);

  expect(opened).toHaveLength(2);
  expect(opened.map(({ normalUnicode }) => normalUnicode?.name)).toEqual([
    undefined,
    MEDIUM.replace('iso8859', 'iso10646'),
  ]);
  expect(loading.fonts.set.bold?.name).toContain('-bold-');
});

test('a connection that ends while fonts are opened is not reported here', async () => {
  const warnings: string[] = [];
  const { server, connection, loading } = await start(warnings);
  await using _ = server;

  loading.wantBold();
  loading.wantWider();
  connection.close();
  await new Promise((resolve) => setImmediate(resolve));

  expect(warnings).toEqual([]);
});
