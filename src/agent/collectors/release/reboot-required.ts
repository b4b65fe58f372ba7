import { type Family, gauge } from '../../exposition/family.ts';

/** The one metric NixOS and all other distributions fill in ways of their own. @spec agent#metrics hygiene family */
export function rebootRequired(isRequired: boolean): Family {
  return gauge(
    'monitor_reboot_required',
    'Whether the machine runs another kernel or system than it would boot: 1 yes, 0 no.',
    isRequired ? 1 : 0,
  );
}
