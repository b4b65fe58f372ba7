/** An IRC network that the owner approves. */
export interface Network {
  name: string;
  /** Address of its server. */
  address: string;
}

/** The networks that people may be on. */
export interface ApprovedNetworks<N extends { name: string } = Network> {
  /** The network of all people who have not chosen one. */
  network: N;
  otherNetworks?: readonly N[] | undefined;
}

/** Returns all approved networks; the one of people without a choice comes first. */
export const approvedNetworks = <N extends { name: string }>({
  network,
  otherNetworks = [],
}: ApprovedNetworks<N>): readonly N[] => [network, ...otherNetworks];

/** The network of an account: the one that its person chose, as long as it is approved. */
export const networkOf = <N extends { name: string }>(chosen: string | null, approved: ApprovedNetworks<N>): N =>
  approvedNetworks(approved).find(({ name }) => name === chosen) ?? approved.network;
