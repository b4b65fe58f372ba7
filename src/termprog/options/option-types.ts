import type { TermprogResource } from '../../../schemas/termprog/index.ts';
import type { ResourceValue } from '../../../schemas/termprog/resource-table.ts';

/** Name of a resource in its row. */
export type OptionName = TermprogResource['name'];

/** Rows that take effect at once when they are set. */
export type LiveName = Extract<TermprogResource, { live: true }>['name'];

/** Row of a name; the names of numbered families are patterns. */
type RowNamed<Name extends string, Row = TermprogResource> = Row extends { name: infer Pattern }
  ? Name extends Pattern
    ? Row
    : never
  : never;

/** The type of a row's value in the program; undefined is possible only when the row has no default. */
export type OptionValue<Name extends OptionName> = ResourceValue<RowNamed<Name>>;
