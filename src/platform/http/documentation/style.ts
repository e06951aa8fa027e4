/** The style of the documentation, in addition to the style of all pages. */
export const style = `
main{max-width:70rem;margin:0 auto}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;padding-bottom:.75rem;border-bottom:1px solid var(--hair)}
.bar form{flex:1 1 14rem;max-width:24rem;margin-left:auto}.bar input{min-height:2.6rem}
.columns{display:grid;grid-template-columns:minmax(0,1fr)}
.columns>nav{order:2;border-top:1px solid var(--hair);margin-top:2rem;padding-top:1rem}
.text{max-width:48rem;min-width:0;padding-top:1.25rem}
.text h2{font-size:1.3rem;margin:2.25rem 0 .5rem}.text h3{font-size:1.08rem;margin:1.75rem 0 .5rem}
.text pre{white-space:pre;font:.88rem/1.5 var(--mono);background:var(--surface);border:1px solid var(--hair);border-radius:8px;padding:.8rem 1rem;overflow:auto}
.text code{font-size:.92em}.text img{max-width:100%;height:auto}
.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;min-width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--hair);overflow-wrap:normal;min-width:6rem}
nav ul{list-style:none;padding-left:.75rem;margin:.25rem 0}nav p{margin:.35rem 0}
.found{padding-left:1.25rem}.found p{color:var(--soft);margin:.2rem 0 1rem}
details{margin-bottom:1rem}summary{cursor:pointer;color:var(--soft)}
@media (min-width:60rem){.columns{grid-template-columns:15rem minmax(0,1fr);gap:2.5rem}.columns>nav{order:0;border:0;margin:0;padding-top:1.25rem;font-size:.93rem}}
`;
