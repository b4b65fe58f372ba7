/**
 * Names that can be loaded: of a known type, and no template, which ends in `@` before the type.
 * @see systemd.unit(5)
 */
const UNIT_NAME =
  /^(?=.{1,255}$)(?!@)[0-9A-Za-z:_.\\@-]+(?<!@)\.(service|socket|device|mount|automount|swap|timer|path|slice|scope|target)$/;

/** Whether a service manager can be asked about this name: a complete one that is no template and no pattern. */
export function isUnitName(name: string): boolean {
  return UNIT_NAME.test(name);
}

/** Type of a unit by its name: `service`, `timer` and so on. */
export function unitType(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
