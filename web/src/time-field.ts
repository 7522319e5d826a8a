/** A time field ends at 23:59; the API's end of the day is shown as that. */
const END_OF_DAY = '24:00';

export const timeOfField = (time: string | undefined): string => (time === END_OF_DAY ? '23:59' : (time ?? ''));

/** The hours that two time fields hold, or those before when nobody has edited them. */
export const hoursOfFields = (
  shown: { readonly from: string; readonly to: string } | null,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly from: string; readonly to: string } | null => {
  if (from === timeOfField(shown?.from) && to === timeOfField(shown?.to)) return shown;
  return from === '' && to === '' ? null : { from, to };
};
