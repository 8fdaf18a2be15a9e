// Draws a text that is cut in its middle if there is not enough space, because similar names often differ at their ends.
const kEnd = 7; // number of letters at the end that are never cut
const kShort = 12; // shorter texts are not split

export function Cut({ text }: { text: string }) {
  const letters = [...text];
  if (letters.length <= kShort) return <>{text}</>;
  return (
    <span class="cut" title={text}>
      <span>{letters.slice(0, -kEnd).join("")}</span>
      <span>{letters.slice(-kEnd).join("")}</span>
    </span>
  );
}
