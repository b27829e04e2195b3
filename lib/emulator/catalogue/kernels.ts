/** A kernel that the platform, not the disk, brings: only instances made before 2017 can change theirs. Source: the OpenAPI document, component `kernel`. */
export interface Kernel {
  readonly id: number;
  readonly name: string;
  readonly version: string;
}

/** Newest first; the first one hands over to the kernel on the disk. */
export const kernels: readonly Kernel[] = [
  { id: 7515, name: 'DigitalOcean GrubLoader v0.2 (20160714)', version: '2016.07.13-DigitalOcean_loader_Ubuntu' },
  { id: 7516, name: 'DigitalOcean GrubLoader v0.1 (20160527)', version: '2016.05.27-DigitalOcean_loader_Ubuntu' },
  { id: 6818, name: 'Ubuntu 14.04 x64 vmlinuz-3.13.0-85-generic', version: '3.13.0-85-generic' },
  { id: 6494, name: 'Ubuntu 14.04 x64 vmlinuz-3.13.0-79-generic', version: '3.13.0-79-generic' },
  { id: 5175, name: 'Ubuntu 14.04 x64 vmlinuz-3.13.0-57-generic', version: '3.13.0-57-generic' },
  { id: 2924, name: 'Ubuntu 14.04 x64 vmlinuz-3.13.0-24-generic', version: '3.13.0-24-generic' },
];

export function findKernel(id: number): Kernel | undefined {
  return kernels.find((kernel) => kernel.id === id);
}
