import { expect, expectTypeOf, test } from 'vitest';
import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { LiveOptions } from '../../../../src/termprog/options/live-options.ts';
import type { LiveName, OptionValue } from '../../../../src/termprog/options/option-types.ts';
import { optionsWith } from './options-with.ts';

test('values have the type of their row', () => {
  const options = optionsWith({ hold: 'true', saveLines: '7', backgroundOpacity: '0.5', utf8Title: 'always' });
  expect([options.get('hold'), options.get('saveLines'), options.get('backgroundOpacity')]).toEqual([true, 7, 0.5]);
  expect([options.get('utf8Title'), options.get('color3'), options.get('boldFont')]).toEqual([
    'always',
    'yellow3',
    undefined,
  ]);
  expectTypeOf<OptionValue<'hold'>>().toEqualTypeOf<boolean>();
  expectTypeOf<OptionValue<'saveLines'>>().toEqualTypeOf<number>();
  expectTypeOf<OptionValue<'utf8Title'>>().toEqualTypeOf<'true' | 'false' | 'always' | 'default'>();
  expectTypeOf<OptionValue<'color3'>>().toEqualTypeOf<string>();
  expectTypeOf<OptionValue<'boldFont'>>().toEqualTypeOf<string | undefined>();
  expectTypeOf<'saveLines'>().not.toExtend<LiveName>();
  expectTypeOf<'color15'>().toExtend<LiveName>();
});

test('a watcher is called once for a change, and never without one', () => {
  const options = optionsWith({});
  const told: boolean[] = [];
  options.watch(['scrollKey', 'hold'], () => told.push(options.get('scrollKey')));
  options.set('scrollKey', true);
  options.set('scrollKey', true);
  options.set('sameName', false);
  expect(told).toEqual([true]);
});

test('a watcher that has stopped is not called any more, the others are', () => {
  const options = optionsWith({});
  const told: string[] = [];
  const watch = (who: string) => options.watch(['hold'], () => told.push(who));
  const stop = watch('first');
  watch('second');
  stop();
  stop();
  options.set('hold', true);
  expect(told).toEqual(['second']);
});

test('watching twice is two watches', () => {
  const options = optionsWith({});
  let told = 0;
  const count = (): void => {
    told += 1;
  };
  const stop = options.watch(['hold'], count);
  options.watch(['hold'], count);
  options.set('hold', true);
  stop();
  options.set('hold', false);
  expect(told).toBe(3);
});

test('parts that watch again and again and never stop are noticed', () => {
  const options = optionsWith({});
  expect(() => {
    for (let time = 0; time < 10_000; time += 1) options.watch(['hold'], () => {});
  }).toThrow('too many parts watch the options');
});

test('readers of many values see what was set', () => {
  const options = optionsWith({});
  options.set('color3', 'pink');
  expect(options.reader.required('color3')).toBe('pink');
});

test('bytes that are not UTF-8 stay as they were set, until another text is set', () => {
  const options = new LiveOptions(
    termprogResources.map((row) => ({
      row,
      value: row.name === 'answerbackString' ? 'é' : row.default,
      origin: undefined,
      ...(row.name === 'answerbackString' && { bytes: '\xe9' }),
    })),
  );
  expect([...options.reader.bytes('answerbackString')]).toEqual([0xe9]);
  options.set('answerbackString', 'ü');
  expect([...options.reader.bytes('answerbackString')]).toEqual([0xc3, 0xbc]);
});
