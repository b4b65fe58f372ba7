import { expect, test } from 'vitest';
import { safeReturn } from '../../../../src/connector/browser/safe-return.ts';

for (const next of [
  '/settings',
  '/oauth/interaction/abc_-1',
  '/history',
  '/history?channel=%23room&at=ent_abc-1',
  '/history?search=two+words&page=a.b_c',
]) {
  test(`sign-in may return to ${next}`, () => {
    expect(safeReturn(next)).toBe(next);
  });
}

for (const next of [
  undefined,
  ['/settings'],
  '//evil.example',
  '/settings/../logout',
  '/oauth/interaction/a/b',
  '/settings?x',
  '/history/..',
  '/history?next=//evil.example',
  '/history?at=ent_a\r\nSet-Cookie:b',
  `/history?search=${'a'.repeat(513)}`,
  `/oauth/interaction/${'a'.repeat(65)}`,
]) {
  test(`sign-in returns to the settings instead of ${String(next)}`, () => {
    expect(safeReturn(next)).toBe('/settings');
  });
}
