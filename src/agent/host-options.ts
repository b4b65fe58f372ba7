/** Options that name other places for what the machine tells; for containers and copied trees. */
export const hostOptions = {
  procfs: { type: 'string', summary: 'where procfs is mounted (default /proc)' },
  sysfs: { type: 'string', summary: 'where sysfs is mounted (default /sys)' },
  rootfs: { type: 'string', summary: "where the machine's root directory is mounted (default /)" },
} as const;
