import { expect, test } from 'vitest';
import { libraryDisplayName, parseDisplayName } from '../../../../src/termprog/x11/display-name.ts';

for (const [name, taken] of [
  [':0', ':0.0'],
  [':12.1', ':12.1'],
  ['unix:0', ':0.0'],
  ['unix:0.0', ':0.0'],
  ['unix/:3', ':3.0'],
  ['local/host:3', ':3.0'],
  ['unix/unix:3', ':3.0'],
  ['host:1', 'tcp/host:1.0'],
  ['tcp/host:1.2', 'tcp/host:1.2'],
  ['inet/:4', 'tcp/:4.0'],
  ['tcp/unix:4', 'tcp/unix:4.0'],
  ['127.0.0.1:10.0', 'tcp/127.0.0.1:10.0'],
] as const) {
  test(`the display ${name} is the library's ${taken}`, () => {
    const parsed = parseDisplayName(name);

    expect(parsed && libraryDisplayName(parsed)).toBe(taken);
  });
}

for (const name of ['', 'host', ':', ':x', ':0.', '0', 'ftp/host:0', ':123456', 'a/b/c:0', ':0 ']) {
  test(`"${name}" is not a display name`, () => {
    expect(parseDisplayName(name)).toBeUndefined();
  });
}
