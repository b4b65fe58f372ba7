import type { ActionEvent } from './action-event.ts';
import type { BellPort, FontPort, FontRoutingPort, MenuPort, TitlePort } from './appearance.ts';
import type { KeyPort, MousePort } from './input.ts';
import type { CommandOutputPort, LinkPort, PromptPort, SearchPort, SelectionPort, ViewPort } from './shown-text.ts';
import type { ModePort, OptionPort } from './states.ts';

/** The window's interface to actions, in groups, one line each. Their files are by subject: input, shown text, appearance, states. */
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
