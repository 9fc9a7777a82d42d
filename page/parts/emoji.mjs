// The names of the commonest emoji in Markdown.
// biome-ignore format: a table
const NAMES = {
  "+1": "👍", thumbsup: "👍", "-1": "👎", thumbsdown: "👎", tada: "🎉", rocket: "🚀", heart: "❤️", eyes: "👀", fire: "🔥", bug: "🐛", warning: "⚠️",
  white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", smile: "😄", laughing: "😆", wink: "😉", thinking: "🤔", thinking_face: "🤔", cry: "😢", confused: "😕",
  sparkles: "✨", star: "⭐", bulb: "💡", memo: "📝", pray: "🙏", clap: "👏", wave: "👋", ok_hand: "👌", muscle: "💪", question: "❓", exclamation: "❗", zap: "⚡",
  construction: "🚧", lock: "🔒", recycle: "♻️", boom: "💥", wrench: "🔧", package: "📦", art: "🎨", shrug: "🤷", "100": "💯",
};

export const withEmoji = (text) =>
  text.includes(":")
    ? text.replace(/(?<![\w:]):([a-z0-9_+-]{1,24}):(?![\w:])/g, (all, name) => (Object.hasOwn(NAMES, name) ? NAMES[name] : all))
    : text;
