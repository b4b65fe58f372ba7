/** Function of a key in a menu. */
export type MenuKey = 'cancel' | 'choose' | 'up' | 'down' | 'left' | 'right' | 'first' | 'last';

/** Keysyms of the keys that menus handle, including those of the keypad; keysymdef.h. */
const KEYS: ReadonlyMap<number, MenuKey> = new Map([
  [0xff1b, 'cancel'],
  [0xff0d, 'choose'],
  [0xff8d, 'choose'],
  [0xff52, 'up'],
  [0xff97, 'up'],
  [0xff54, 'down'],
  [0xff99, 'down'],
  [0xff51, 'left'],
  [0xff96, 'left'],
  [0xff53, 'right'],
  [0xff98, 'right'],
  [0xff50, 'first'],
  [0xff95, 'first'],
  [0xff57, 'last'],
  [0xff9c, 'last'],
]);

export function menuKeyOf(keysym: number): MenuKey | undefined {
  return KEYS.get(keysym);
}
