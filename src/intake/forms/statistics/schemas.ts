import { Type } from 'typebox';

const date = (description: string) => Type.String({ format: 'date', description });

export const statisticsQuery = Type.Object({
  from: Type.Optional(date('The first day (UTC); 29 days before the last without it')),
  to: Type.Optional(date('The last day; today without it')),
});

export const statistics = Type.Object(
  {
    from: date('The first day'),
    to: date('The last day'),
    total: Type.Integer({ description: 'How many have answered since the form was published first' }),
    days: Type.Array(
      Type.Object(
        {
          day: date('By UTC'),
          channel: Type.Enum(['public', 'api'], { description: 'The link of the form, or the token for programs' }),
          received: Type.Integer({ description: 'How many answered' }),
          spam: Type.Integer({ description: 'How many a field has caught that people do not see' }),
        },
        { title: 'InterfaceDay' },
      ),
      { description: 'Days and channels with nothing are left out' },
    ),
  },
  { title: 'InterfaceStatistics' },
);
