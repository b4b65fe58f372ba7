import { expect, test } from 'vitest';
import { resource, resources, type XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import { choice, integer } from '../../../schemas/termprog/resource-types.ts';
import { appDefaultsFile } from '../../../src/generate/app-defaults.ts';
import { nixOptionsFile } from '../../../src/generate/nix-options.ts';
import { optionsPage } from '../../../src/generate/options-page.ts';
import { xresourceOptions } from '../../../src/generate/xresource-options.ts';

const meta = {
  class: 'SaveLines',
  default: '1024',
  options: [
    { kind: 'value', names: ['sl'], metavar: 'number' },
    { kind: 'toggle', names: ['sb'], minus: 'true', plus: 'false' },
  ],
  doc: 'Lines kept | dropped.',
} as const;
const [row] = resources('vt100', { saveLines: resource(integer({ min: 0, max: 9 }), meta) }) as [XResourceRow];

test('a resource becomes an option that is unset and reports the default of the program', () => {
  expect(nixOptionsFile(xresourceOptions([row]))).toContain(`
      saveLines = mkOption {
        type = types.nullOr (types.ints.between 0 9);
        default = null;
        description = "Lines kept | dropped. The program's default is \`1024\`.";
      };`);
});

test('a resource that is accepted only is one without effect, and its option says why', () => {
  const text = nixOptionsFile(xresourceOptions([{ ...row, acceptedOnly: 'lines are not kept here' }]));

  expect(text).toContain('Lines are not kept here. Accepted, without effect in this version.');
  expect(text).toContain('{ path = [ "vt100" "saveLines" ]; default = null; }');
  expect(nixOptionsFile(xresourceOptions([row]))).not.toContain('{ path = ');
});

test('words that mean true and false may be given as booleans', () => {
  const [choices] = resources('vt100', {
    saveLines: resource(choice('true', 'false', 'always'), { ...meta, default: 'true' }),
  });

  expect(nixOptionsFile(xresourceOptions(choices === undefined ? [] : [choices]))).toContain(
    'types.nullOr (types.either types.bool (types.enum [ "true" "false" "always" ]))',
  );
});

test('a resource that stands twice or has no description stops the generation', () => {
  expect(() => xresourceOptions([row, row])).toThrow('vt100.saveLines: a resource that stands there twice');
  expect(() => xresourceOptions([{ ...row, doc: '' }])).toThrow('vt100.saveLines: a resource without a description');
});

test('the shipped class defaults show every default, and set only the labels of menus', () => {
  const menu = {
    name: 'vtMenu',
    label: 'VT Options',
    button: 2,
    groups: [[{ name: 'scrollbar', label: 'Enable Scrollbar' }]],
  } as const;

  const text = appDefaultsFile([row, { ...row, scope: 'app', name: 'title', default: undefined }], [menu]);

  expect(text).toContain('\n! Lines kept | dropped.\n!*VT100.saveLines: 1024\n');
  expect(text).toContain('\n!*title:\n');
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('!'))).toEqual([
    '*vtMenu.Label: VT Options',
    '*vtMenu*scrollbar*Label: Enable Scrollbar',
  ]);
});

test('the reference shows class, type, default, options and when it takes effect, if ever', () => {
  const head = '| `saveLines` | `SaveLines` | integer, 0 to 9 | `1024` | `-sl number`<br>`-sb`, `+sb`';
  expect(optionsPage([], [row])).toContain(`${head} | start | Lines kept \\| dropped. |`);
  expect(optionsPage([], [{ ...row, acceptedOnly: 'lines are not kept here' }])).toContain(
    `${head} | never | Lines kept \\| dropped. **Accepted for compatibility:** lines are not kept here. |`,
  );
});
