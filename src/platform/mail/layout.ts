import { cutText } from '../text.ts';
import { attributes, html, type Html, linked, mailedPicture, verbatim } from '../http/html.ts';

/** A link with its text. */
export type MailLink = { label: string; page: string };
/** The content of a mail. `notes` are below the button, in small letters. */
export type MailContent = {
  subject: string;
  paragraphs: readonly (string | MailLink)[];
  button?: MailLink | undefined;
  notes?: readonly string[] | undefined;
};
/** The sender of a mail to a person without an account: name, logo and colour. */
export type MailLook = { name: string; logoUrl?: string; colour?: string };

/*
 * The colours are those of src/platform/design/tokens.css: mail programs know no custom properties. Tables and inline styles are for Outlook and for
 * programs that remove `style`. Others get dark mode and narrow margins on phones.
 */
const style = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
.ink a{color:#17594a}
@media (max-width:480px){.around{padding:0!important}.card{border-radius:0!important;border-width:0!important}.edge{padding-left:20px!important;padding-right:20px!important}}
@media (prefers-color-scheme:dark){
.page{background-color:#161614!important}.card{background-color:#1e1e1b!important;border-color:#37352f!important}.line{border-color:#37352f!important}
.ink{color:#ece9e2!important}.ink a{color:#8fd3bf!important}.soft,.ink a.soft{color:#b1aca2!important}
.button{background-color:#8fd3bf!important}.button a{color:#0b2a22!important}
}`;
const accent = '#17594a';

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

const fallback: Readonly<Record<string, string>> = {
  en: 'If the button does not work, open this address:',
  de: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  ar: 'إذا لم يعمل الزر، فافتح هذا العنوان:',
  ja: 'ボタンが機能しない場合は、次のアドレスを開いてください:',
};

const small = (content: Html) => html`<p class="soft" style="margin:0 0 8px;font-size:14px;line-height:1.5;color:#5f5a52">${content}</p>`;

/** A button that Outlook draws too: the cell has the colour and, only there, the padding. */
const button = ({ label, page }: MailLink): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
    <tr>
      <td class="button" bgcolor="#17594a" style="border-radius:8px;mso-padding-alt:13px 24px">
        <a
          href="${page}"
          style="display:inline-block;padding:13px 24px;border-radius:8px;font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none"
          >${label}</a
        >
      </td>
    </tr>
  </table>`;

/** The URL of the button, for programs that show no button, and for readers who check it first. */
const address = (language: string, { page }: MailLink): Html =>
  small(
    html`${fallback[language] ?? fallback.en}<br /><a class="soft" href="${page}" dir="ltr" style="color:#5f5a52;word-break:break-all"
        >${page}</a
      >`,
  );

/** The head of a mail: the logo or name of the sender, or the name of the service. */
const sender = (look: MailLook | undefined): Html =>
  html`<p class="ink" style="margin:0 0 20px;font-family:'Iowan Old Style',Palatino,Georgia,serif;font-size:17px;color:#211f1b">
    ${
      look?.logoUrl === undefined
        ? html`<strong><bdi>${look?.name ?? 'Chancery'}</bdi></strong>`
        : mailedPicture(look.logoUrl, look.name, 40)
    }
  </p>`;

type ReadingDirection = ReturnType<typeof attributes>;

/** Draws the content on a sheet of paper, under a line in the colour of the sender. */
const onPaper = (reading: ReadingDirection, colour: string, content: Html): Html =>
  html`<table
    ${reading}
    class="page"
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    bgcolor="#faf8f4"
    style="overflow-wrap:anywhere"
  >
    <tr>
      <td class="around" align="center" style="padding:32px 12px">
        <table
          ${reading}
          class="card"
          role="presentation"
          width="600"
          cellpadding="0"
          cellspacing="0"
          border="0"
          bgcolor="#ffffff"
          style="width:100%;max-width:600px;border:1px solid #e4dfd5;border-radius:8px;border-collapse:separate;overflow:hidden"
        >
          <tr>
            <td height="4" bgcolor="${colour}" style="font-size:0;line-height:4px">&nbsp;</td>
          </tr>
          <tr>
            <td
              class="edge ink"
              style="padding:24px 32px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.55;color:#211f1b"
            >
              ${content}
            </td>
          </tr>
        </table>
      </td>
    </tr>
  </table>`;

function contentOf(language: string, { subject, paragraphs, button: action, notes = [] }: MailContent): Html {
  const written = paragraphs.map((one) => {
    const content = typeof one === 'string' ? linked(one) : html`<a href="${one.page}" style="color:#17594a">${one.label}</a>`;
    return html`<p style="margin:0 0 16px">${content}</p>`;
  });
  return html`<h1
      class="ink"
      style="margin:0 0 16px;font-family:'Iowan Old Style',Palatino,Georgia,serif;font-size:24px;line-height:1.3;font-weight:500;color:#211f1b"
    >
      ${subject}
    </h1>
    ${written} ${action && button(action)} ${notes.map((note) => small(linked(note)))} ${action && address(language, action)}`;
}

/** Returns the HTML of a mail. `team` is the line with the name of the team. All texts are already free of characters that disguise. */
export function mailPage(language: string, content: MailContent, team: string, look: MailLook | undefined): string {
  const colour = look?.colour !== undefined && /^#[\da-f]{6}$/i.test(look.colour) ? look.colour : accent;
  const reading = attributes({ lang: language, dir: rightToLeft.has(language) ? 'rtl' : 'ltr' });
  const preview = cutText(content.paragraphs.map((one) => (typeof one === 'string' ? one : one.label)).join(' '), 150);
  const all = html`${sender(look)} ${contentOf(language, content)}
    <p
      class="soft line"
      style="margin:24px 0 8px;padding-top:16px;border-top:1px solid #e4dfd5;font-size:14px;line-height:1.5;color:#5f5a52"
    >
      ${team}
    </p>`;
  return html`<!doctype html>
    <html ${reading}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${content.subject}</title>
        ${verbatim('style', '', style)}
      </head>
      <body class="page" style="margin:0;padding:0;background-color:#faf8f4">
        <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
        ${onPaper(reading, colour, all)}
      </body>
    </html>`.markup;
}
