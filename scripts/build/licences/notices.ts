import type { BundledPackage } from './bundled-packages.ts';

const RULE = '-'.repeat(80);

/**
 * The notices that go with a program: each package in its bundle, then each text once, with the packages it covers.
 * @param program name of the program, for the first line
 */
export function formatNotices(program: string, packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(packages, ({ text }) => text.replaceAll('\r\n', '\n'));
  const nameOf = ({ name, version }: BundledPackage): string => `${name} ${version}`;
  const sections = [...byText].map(([text, covered]) =>
    [RULE, ...new Set(covered.map(nameOf)), RULE, '', text, ''].join('\n'),
  );
  const lines = new Set(packages.map((each) => `  ${nameOf(each)} (${each.licence})`));
  return [
    `${program} contains code of these packages, or comes with them. Their licences follow.`,
    '',
    ...lines,
    '',
    ...sections,
  ].join('\n');
}
