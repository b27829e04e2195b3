/** Functions of different ways: at once, later, with output, with a larger answer. All tell who they are, and which call they answer. */
export function codeOf(i: number): string {
  const answer = `({ body: { i: ${i}, n: Number(new URLSearchParams(event.http.queryString).get('n')) } })`;
  const bodies = [
    `(event) => ${answer}`,
    `async (event) => { await new Promise((done) => setTimeout(done, 5)); return ${answer}; }`,
    `(event) => { for (let line = 0; line < 20; line += 1) console.log('line', line); console.error('done'); return ${answer}; }`,
    `(event) => { const answer = ${answer}; answer.body.padding = 'x'.repeat(20000); return answer; }`,
  ];
  return `exports.main = ${bodies[i % bodies.length]};`;
}

/** How the answer of such a function to its nth call begins. */
export function answerOf(i: number, n: number): string {
  return `{"i":${i},"n":${n}`;
}
