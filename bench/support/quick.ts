/** The size of a measurement: `npm run bench -- --quick` takes the small one. */
export const sized = <Size>(full: Size, quick: Size): Size => (process.env['BENCH_QUICK'] === '1' ? quick : full);
