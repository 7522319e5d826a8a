/** How the image starts a process (`Dockerfile`): with a small young generation, and an allocator that returns memory. */
export const IMAGE_NODE_OPTIONS = ['--max-semi-space-size=4'];
export const IMAGE_ALLOCATOR_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
