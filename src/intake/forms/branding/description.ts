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
    text: 'Returns the name, logo and colour of the team’s public pages. Members without a value are left out; pages then show the name of the team.',
    answer,
  },
  updateBranding: {
    text: 'Changes the look of the team’s public pages; `null` removes a value. `shown` has the colours on light and dark backgrounds. It is the given colour if its contrast is sufficient (WCAG 2.2 AA), or else the nearest sufficient colour. A logo is a PNG or JPEG by its content. Chancery removes metadata from it, such as the location of a photo. For the owner and administrators.',
    records: ['team.branding_updated'],
    problems: ['logo_invalid', 'name_has_link'],
    body: { name: 'Northwind', colour: '#0b6e4f' },
    answer,
  },
};
