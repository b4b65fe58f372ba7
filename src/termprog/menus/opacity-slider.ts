import type { MenuEntry } from './menu-entry.ts';
import type { MenuTargets } from './menu-targets.ts';

/** Opacities are written with so many digits: a slider has no finer steps. */
const STEPS = 100;

function opacity({ options }: MenuTargets): number {
  const value = options.get('backgroundOpacity');
  return value === 'disabled' ? 1 : value;
}

/** How opaque the background is. @spec termprog#terminal-widget-resources-termvt100 backgroundOpacity */
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
