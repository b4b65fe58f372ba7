import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { termprogResources } from '../../schemas/termprog/index.ts';
import type { Operation } from '../../src/termprog/engine/engine-host.ts';
import { type PermissionSettings, permits } from '../../src/termprog/permissions/permits.ts';
import type { ResourceReader } from '../../src/termprog/xresource/resource-reader.ts';
import { createReader, readColors, readSettings } from '../../src/termprog/xresource/settings.ts';
import { sourceFiles } from './source-files.ts';

const read = readNames();

test('every resource without a mark is read by the program', () => {
  const unread = termprogResources.filter(({ name, acceptedOnly }) => acceptedOnly === undefined && !read.has(name));
  expect(unread.map(({ name }) => name)).toEqual([]);
});

test('resources that are read have no mark of having no effect', () => {
  const wronglyMarked = termprogResources.filter(
    ({ name, acceptedOnly }) => acceptedOnly !== undefined && read.has(name),
  );
  expect(wronglyMarked.map(({ name }) => name)).toEqual([]);
});

/** The resources that the program reads, in the settings or by name elsewhere. */
function readNames(): Set<string> {
  const names = new Set<string>();
  const reader = createReader(termprogResources.map((row) => ({ row, value: row.default, origin: undefined })));
  const recording = <T>(read: (name: string) => T) => {
    return (name: string): T => {
      names.add(name);
      return read(name);
    };
  };
  const recorder: ResourceReader = {
    text: recording(reader.text),
    required: recording(reader.required),
    boolean: recording(reader.boolean),
    number: recording(reader.number),
    bytes: recording(reader.bytes),
  };
  readSettings(recorder, { name: 'termprog', isUtf8: true });
  readColors(recorder);
  for (const file of sourceFiles('src/termprog')) {
    const reads = readFileSync(file, 'utf8').matchAll(
      /\b(?:reader\.(?:text|required|boolean|number|bytes)|options\.get)\('(\w+)'\)/g,
    );
    for (const [, name = ''] of reads) names.add(name);
    const permissions = readFileSync(file, 'utf8').matchAll(/\bpermits\((?:[\w.]+, )?'(\w+)'\)/g);
    for (const [, operation = ''] of permissions) noteConsulted(operation as Operation, names);
  }
  return names;
}

/** The resources that decide whether applications may do this. */
function noteConsulted(operation: Operation, names: Set<string>): void {
  const consult = (blanket: boolean): void => {
    const get = (name: string): boolean | string => {
      names.add(name);
      if (name.startsWith('disallowed')) return '';
      return name === 'allowSendEvents' ? false : blanket;
    };
    permits({ get } as PermissionSettings, operation);
  };
  consult(true);
  consult(false);
}
