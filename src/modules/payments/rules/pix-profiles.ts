/** The banks whose habits are known, and `custom` for any other that offers the Central Bank's API Pix. */
export const PIX_PROFILES = {
  efi: 'Efí',
  bb: 'Banco do Brasil',
  itau: 'Itaú',
  sicoob: 'Sicoob',
  inter: 'Inter',
  santander: 'Santander',
  bradesco: 'Bradesco',
  custom: 'Outro banco',
} as const;
export type PixProfileName = keyof typeof PIX_PROFILES;
export const PIX_PROFILE_NAMES = Object.keys(PIX_PROFILES) as PixProfileName[];
