import type { MenuEntry } from './menu-entry.ts';
import type { MenuTargets } from './menu-targets.ts';

/** Steps of the slider, which fit the written number of digits. */
const STEPS = 100;

function opacity({ options }: MenuTargets): number {
  const value = options.get('backgroundOpacity');
  return value === 'disabled' ? 1 : value;
}

/** Slider for the opacity of the background. @spec termprog#terminal-widget-resources-termvt100 backgroundOpacity */
export const opacitySlider: MenuEntry = {
  name: 'opacity',
  label: 'Opacity',
  kind: 'slider',
  changes: { option: 'backgroundOpacity' },
  isSensitive: ({ options, hasAlpha }) => hasAlpha && options.get('backgroundOpacity') !== 'disabled',
  isChecked: () => false,
  run: () => {},
  value: opacity,
  slide: ({ options }, value) => options.set('backgroundOpacity', Math.round(value * STEPS) / STEPS),
};
