import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const answer = {
  name: 'Northwind',
  colour: '#0b6e4f',
  shown: { light: '#0b6e4f', onLight: '#ffffff', dark: '#5c9d87', onDark: '#111110' },
  logoUrl: `https://chancery.example/logos/${desk.team.id}/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
  updatedAt: desk.tuesday,
};

export const brandingText: DomainText['operations'] = {
  getBranding: {
    text: 'Shows the name, logo and colour that the public pages of the team have: those of its forms. What is not set is left out; pages then show the team’s own name.',
    answer,
  },
  updateBranding: {
    text: 'Changes how the public pages of the team look; `null` takes something away. The contrast of the colour is looked at here: `shown` is what pages make of it on light and dark grounds, the colour itself where it can be read there (WCAG 2.2 AA) and otherwise the nearest to it that can. A logo is a PNG or JPEG by its bytes, and is kept without what does not draw it, such as the place where a picture was taken. For the owner and administrators.',
    records: ['team.branding_updated'],
    problems: ['logo_invalid', 'name_has_link'],
    body: { name: 'Northwind', colour: '#0b6e4f' },
    answer,
  },
};
