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
    total: Type.Integer({ description: 'Number of submissions since the first publication' }),
    days: Type.Array(
      Type.Object(
        {
          day: date('By UTC'),
          channel: Type.Enum(['public', 'api'], { description: '`public` for the link of the form, `api` for the token of programs' }),
          received: Type.Integer({ description: 'The number of submissions' }),
          spam: Type.Integer({ description: 'The number of submissions that filled in the hidden trap field' }),
        },
        { title: 'InterfaceDay' },
      ),
      { description: 'Days and channels without submissions are left out' },
    ),
  },
  { title: 'InterfaceStatistics' },
);
