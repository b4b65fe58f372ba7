/** Words that make a sentence harder to read than it needs to be. */
export interface Pattern {
  /** Name of the pattern in the output. */
  name: string;
  matches: RegExp;
  /** Largest share of all sentences, in percent: what is common in well-written projects. */
  ceiling: number;
}

export const patterns: readonly Pattern[] = [
  {
    name: 'nobody, nothing, none, neither',
    matches: /\b(?:nobody|nothing|none|neither)\b/i,

    ceiling: 2.5,
  },
  { name: 'tell, told', matches: /\b(?:tells?|told|telling)\b/i, ceiling: 0.3 },
  { name: 'somebody, whoever, whatever', matches: /\b(?:somebody|whoever|whatever)\b/i, ceiling: 0.4 },
  { name: 'begins with Of, By, As, In, For', matches: /^(?:Of|By|As|In|For)\b/, ceiling: 1.5 },
  { name: 'begins with What, Who, How', matches: /^(?:What|Who|How)\b/, ceiling: 4 },
];
