import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { LiveOptions } from '../../../../src/termprog/options/live-options.ts';

/** The resources of a program that was started with these values, as resource files write them. */
export function optionsWith(values: Readonly<Record<string, string>>): LiveOptions {
  return new LiveOptions(
    termprogResources.map((row) => ({ row, value: values[row.name] ?? row.default, origin: undefined })),
  );
}
