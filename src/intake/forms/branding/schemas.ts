import { type Static, Type } from 'typebox';

const hex = '^#[0-9A-Fa-f]{6}$';
/** The maximum size of a logo in bytes, and the length as base64. */
export const maxLogoBytes = 256 * 1024;
const maxLogoText = Math.ceil(maxLogoBytes / 3) * 4;

const shownColour = Type.String({ description: '`#` and six hexadecimal digits' });

export const branding = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'The name of the team on pages, if it differs from the team’s own name' })),
    colour: Type.Optional(Type.String({ description: 'The colour as sent' })),
    shown: Type.Optional(
      Type.Object(
        { light: shownColour, onLight: shownColour, dark: shownColour, onDark: shownColour },
        {
          description:
            'The colours of pages: the nearest readable ones on light and dark backgrounds (WCAG 2.2 AA), and the text colours on them',
        },
      ),
    ),
    logoUrl: Type.Optional(Type.String({ description: 'The address of the logo; a new logo gets a new address' })),
    updatedAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'Branding' },
);
export type Branding = Static<typeof branding>;

export const brandingBody = Type.Object(
  {
    name: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()], { description: 'null for the name of the team' })),
    colour: Type.Optional(Type.Union([Type.String({ pattern: hex }), Type.Null()], { description: 'Such as #0b6e4f; null for none' })),
    logo: Type.Optional(
      Type.Union([Type.String({ maxLength: maxLogoText, pattern: '^[A-Za-z0-9+/]+={0,2}$' }), Type.Null()], {
        description: 'A PNG or JPEG as base64, of at most 256 KiB and 2000 × 2000 pixels; null for none',
      }),
    ),
  },
  { minProperties: 1 },
);
export type BrandingBody = Static<typeof brandingBody>;
