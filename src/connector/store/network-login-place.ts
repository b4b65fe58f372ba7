/** Columns that bind an encrypted proof to its account and its network. */
export interface LoginPlace {
  login_id: string;
  account_id: string;
  network: string;
  address: string;
}

/** Returns the place as JSON, because an address may contain any separator. */
export const networkLoginPlace = (place: Partial<LoginPlace>): string =>
  `network-login/${JSON.stringify([place.login_id, place.account_id, place.network, place.address])}`;
