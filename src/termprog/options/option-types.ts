import type { TermprogResource } from '../../../schemas/termprog/index.ts';

/** Name of a resource, as its row has it. */
export type OptionName = TermprogResource['name'];

/** Rows that take effect at once when they are set. */
export type LiveName = Extract<TermprogResource, { live: true }>['name'];

/** Row of a name; the names of numbered families are patterns. */
type RowNamed<Name extends string, Row = TermprogResource> = Row extends { name: infer Pattern }
  ? Name extends Pattern
    ? Row
    : never
  : never;

type ValueOf<Row> = Row extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { type: 'boolean' }
    ? boolean
    : Row extends { type: 'integer' | 'number' | 'dimension' }
      ? number
      : string;

type UnsetOf<Row> = Row extends { default: undefined } ? undefined : never;

/** The type of a row's value in the program; undefined is possible only when the row has no default. */
export type OptionValue<Name extends OptionName> = ValueOf<RowNamed<Name>> | UnsetOf<RowNamed<Name>>;
