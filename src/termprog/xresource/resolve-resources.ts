import type { XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { convertValue } from './converters.ts';
import type { ResourceDatabase, StoredResource } from './resource-database.ts';
import type { ProgramName } from './sources.ts';

/** Name and class of the terminal widget. @spec termprog#terminal-widget-resources-termvt100 */
const WIDGET = { name: 'vt100', class: 'VT100' } as const;

/** One resource with its present value. */
export interface ResolvedResource {
  row: XResourceRow;
  /** Value in its usual spelling; undefined when unset. */
  value: string | undefined;
  /** Source of the value; undefined for the built-in default. */
  origin: { source: string; specifier: string } | undefined;
  /** Bytes of the value, one character each, if they are not UTF-8. */
  bytes?: string;
  /** A configured value that could not be used. */
  refused?: { value: string; source: string };
}

/** Looks up every row. An invalid value is reported once, and the default is used. */
export function resolveResources(
  rows: readonly XResourceRow[],
  database: ResourceDatabase,
  program: ProgramName,
): ResolvedResource[] {
  return rows.map((row) => {
    const stored = lookupRow(row, database, program);
    if (stored === undefined) return { row, value: row.default, origin: undefined };
    const { source, specifier, bytes } = stored;
    const conversion = convertValue(row, stored.value);
    return conversion.ok
      ? { row, value: conversion.text, origin: { source, specifier }, ...(bytes !== undefined && { bytes }) }
      : { row, value: row.default, origin: undefined, refused: { value: stored.value, source } };
  });
}

/** Reports invalid values, and resources without effect, to the user who set them. */
export function reportFindings(resolved: readonly ResolvedResource[], program: ProgramName, to: Diagnostics): void {
  for (const { row, origin, refused, value } of resolved) {
    if (refused !== undefined) {
      const conversion = convertValue(row, refused.value);
      const expected = conversion.ok ? row.type : conversion.expected;
      to.warning(
        `resource ${pathOf(row, program)}: "${refused.value}" (from ${refused.source}) is not ${expected}; ${value === undefined ? 'it stays unset' : `the default "${value}" is used`}`,
      );
    }
    if (origin === undefined) continue;
    if (row.acceptedOnly !== undefined) to.info(`resource ${shortPathOf(row)} has no effect: ${row.acceptedOnly}`);
  }
}

/** Returns a path such as `term.vt100.saveLines`, with the instance name in use. */
export function pathOf(row: XResourceRow, { instance }: ProgramName): string {
  return `${instance}.${shortPathOf(row)}`;
}

function shortPathOf(row: XResourceRow): string {
  return row.scope === 'vt100' ? `${WIDGET.name}.${row.name}` : row.name;
}

function lookupRow(row: XResourceRow, database: ResourceDatabase, program: ProgramName): StoredResource | undefined {
  if (!database.mayHold(row.name, row.class)) return undefined;
  for (const scope of row.lookup ?? [row.scope]) {
    const widget = scope === 'vt100' ? [WIDGET] : [];
    const stored = database.lookup({
      names: [program.instance, ...widget.map(({ name }) => name), row.name],
      classes: [program.class, ...widget.map((level) => level.class), row.class],
    });
    if (stored !== undefined) return stored;
  }
  return undefined;
}
