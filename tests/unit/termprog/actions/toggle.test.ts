import { expect, test } from 'vitest';
import { toggled } from '../../../../src/termprog/actions/toggle.ts';

test('without a parameter, and with toggle in any case, the state flips', () => {
  for (const parameters of [[], ['toggle'], ['TOGGLE']]) {
    expect([toggled(false, parameters), toggled(true, parameters)]).toEqual([true, false]);
  }
});

test('on and off ask for a state, in any case', () => {
  expect(toggled(false, ['on'])).toBe(true);
  expect(toggled(false, ['ON'])).toBe(true);
  expect(toggled(true, ['Off'])).toBe(false);
});

test('the state in effect, other words and further parameters have no effect', () => {
  expect(toggled(true, ['on'])).toBeUndefined();
  expect(toggled(false, ['off'])).toBeUndefined();
  for (const parameters of [['yes'], [''], ['constructor'], ['on', 'off'], ['toggle', 'toggle']]) {
    expect([toggled(false, parameters), toggled(true, parameters)]).toEqual([undefined, undefined]);
  }
});
