import { messageOf } from '../../../kernel/errors.ts';
import { PopupMenus } from '../../menus/popup-menus.ts';
import { menuLooks } from '../../menus/resources/menu-looks.ts';
import type { MenuPort } from '../../ports/appearance.ts';
import { numberOf, pixelValues } from '../../render/pixel-values.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import { loadKeymap } from '../input/keyboard.ts';
import type { FeatureParts } from './feature-parts.ts';

export type MenuParts = Pick<
  FeatureParts,
  | 'connection'
  | 'router'
  | 'window'
  | 'engine'
  | 'options'
  | 'resources'
  | 'fonts'
  | 'focus'
  | 'bell'
  | 'titles'
  | 'hasAlpha'
  | 'diagnostics'
  | 'repaint'
  | 'quit'
>;

/** The popup menus of the window. */
export function createMenus(parts: MenuParts): {
  port: MenuPort;
  filter: InputFilter;
  stop(): void;
} {
  const { connection, window, router, options, engine, fonts, focus, bell, diagnostics } = parts;
  const { titles, hasAlpha, repaint, quit } = parts;
  const looks = menuLooks({
    connection,
    resources: parts.resources,
    locale: () => options.get('menuLocale'),
    warn: (message) => diagnostics.warning(message),
  });
  const popups = new PopupMenus({
    connection,
    window,
    attach: (menu, handlers) => router.attach(menu, handlers),
    detach: (menu) => router.detach(menu),
    targets: { options, modes: engine.modes, fonts, titles, hasAlpha, repaint, quit },
    loadLook: (menu) => looks(menu),
    loadKeys: () => loadKeymap(connection),
    pixel: (visual, color) => pixelValues(visual).opaque(numberOf(color)),
    ring: () => bell.ring(),
    failed: (error) => diagnostics.warning(`the menu can't be shown: ${messageOf(error)}`),
  });
  options.watch(['backgroundOpacity'], () => popups.refresh());
  focus.watch(() => {
    if (!focus.isHere) popups.forgetKeys();
  });
  return {
    port: popups,
    filter: {
      name: 'the menus',
      get isIdle() {
        return popups.isIdle;
      },
      filter: (event) => popups.filter(event),
    },
    stop: () => popups.stop(),
  };
}
