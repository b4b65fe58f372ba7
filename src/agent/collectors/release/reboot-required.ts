import { type Family, gauge } from '../../exposition/family.ts';

/**
 * The metric of a needed reboot, which NixOS and other distributions determine in different ways.
 * @spec agent#metrics hygiene family
 */
export function rebootRequired(isRequired: boolean): Family {
  return gauge(
    'monitor_reboot_required',
    'Whether the machine runs another kernel or system than it would boot: 1 yes, 0 no.',
    isRequired ? 1 : 0,
  );
}
