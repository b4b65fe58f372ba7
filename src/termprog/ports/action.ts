import type { ActionEvent } from './action-event.ts';
import type { BellPort } from './bell.ts';
import type { CommandOutputPort } from './command-output.ts';
import type { FontRoutingPort } from './font-routing.ts';
import type { FontPort } from './fonts.ts';
import type { KeyPort } from './keys.ts';
import type { LinkPort } from './links.ts';
import type { MenuPort } from './menus.ts';
import type { ModePort } from './modes.ts';
import type { MousePort } from './mouse.ts';
import type { OptionPort } from './options.ts';
import type { PromptPort } from './prompts.ts';
import type { SearchPort } from './search.ts';
import type { SelectionPort } from './selection.ts';
import type { TitlePort } from './titles.ts';
import type { ViewPort } from './view.ts';

/** The window's interface to actions, in groups; each group has one file, and one line here. */
export interface Ports {
  view: ViewPort;
  keys: KeyPort;
  modes: ModePort;
  mouse: MousePort;
  options: OptionPort;
  bell: BellPort;
  fontRouting: FontRoutingPort;
  fonts: FontPort;
  selection: SelectionPort;
  menus: MenuPort;
  titles: TitlePort;
  prompts: PromptPort;
  search: SearchPort;
  links: LinkPort;
  commandOutput: CommandOutputPort;
}

/**
 * One action, with the groups that it needs; `parameters` are as written in the translation.
 * @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget
 */
export interface Action<Needs extends keyof Ports = keyof Ports> {
  name: string;
  run(ports: Pick<Ports, Needs>, event: ActionEvent, parameters: readonly string[]): void;
}
