/**
 * What agents do by themselves, written for this: thirty tasks of each of ten kinds, none of which a
 * skill serves. Those at even places fit the confidence, those at odd ones judge it.
 */
export const EVERYDAY_TASKS: Readonly<Record<string, readonly string[]>> = {
  'looking at files': lines(`
    List the files in the src folder.
    what's in this directory?
    Show me the first twenty lines of main.py
    How many files are in the assets folder?
    Which file in this project is the biggest?
    open config.yaml and tell me what port it uses
    Is there a README in the parent directory?
    print the tree of the docs folder, two levels deep
    find all files that end in .log
    When was notes.txt last modified?
    cat package.json
    Read the file at lib/util.rb and tell me how long it is.
    Does a file called .env exist here?
    Count the lines in server.go
    Where am I? Print the working directory.
    show hidden files too
    Which of these two folders has more files, old or new?
    tell me the size of video.mp4 in megabytes
    What is the last line of the changelog?
    List only the subfolders of packages, not the files.
    look into the tmp folder and say whether it is empty
    Which files did I change today?
    show me the contents of hosts.txt
    is the file data.csv longer than a thousand lines?
    Give me the names of all markdown files in this folder, one per line.
    what extension do most of the files here have?
    Check whether report_final.docx and report_final2.docx are both there.
    Display the last ten lines of server.log
    What folders are in my home directory?
    how deep is the deepest folder in this project`),
  'moving and naming files': lines(`
    rename notes.txt to ideas.txt
    Create an empty folder called drafts.
    Move all the pictures into a folder named images
    delete the temp folder
    copy settings.json to settings.backup.json
    Make a new file called hello.txt with the word hello in it.
    Put the three log files into an archive folder.
    change the name of the folder from Foo to foo
    remove every file that ends with .bak
    Duplicate this file and call the copy version two.
    touch an empty file named placeholder
    move main.js one level up
    Undo the rename you just did.
    Replace the contents of todo.txt with an empty line.
    append the line "done" to progress.txt
    Make script.sh executable.
    create folders for each month of the year
    zip the reports folder
    unpack photos.zip here
    Save what I said as memo.txt in this folder.
    Clear the downloads folder except for the newest file.
    rename all .jpeg files so they end in .jpg
    Make a symlink from latest to version 3.
    Put today's date in the name of this file.
    move it back where it was
    Add a blank line at the end of each of these files.
    delete the second line of list.txt
    join part1.txt and part2.txt into one file
    Split this file after line one hundred.
    Sort the lines of names.txt alphabetically and save it.`),
  'defining a term': lines(`
    What does idempotent mean?
    define recursion
    What is the difference between a compiler and an interpreter?
    explain what a mutex is in one sentence
    what does API stand for
    In plain words, what is a hash function?
    What's a closure?
    meaning of the word "ephemeral" in computing
    What is technical debt?
    what does the acronym CRUD mean
    Tell me what a monad is, briefly.
    difference between concurrency and parallelism?
    What do people mean by eventual consistency?
    what is a race condition
    Define polymorphism with one short example.
    What does it mean that a language is statically typed?
    what's the definition of latency
    What is a daemon in Unix?
    is a byte always eight bits?
    what does "big O of n log n" mean
    Explain the term garbage collection to a beginner.
    what is the opposite of a stack
    What's the difference between a library and a framework?
    what does deprecated mean
    Who came up with the term "bug" for software faults?
    define entropy in information theory
    What is a checksum used for, in a sentence?
    What does the term "side effect" mean for functions?
    what is meant by a deadlock
    Give me a one line definition of middleware.`),
  'saying what code does': lines(`
    What does this function return for the input 5?
    What will print(2 ** 3 ** 2) show in Python?
    Given f(x) = x + 1, what is f(f(3))?
    what is the output of [1, 2, 3].map(n => n * 2)
    Does this loop ever end? while (i > 0) i--;
    What is the value of x after these three assignments?
    what does range(3, 9, 2) give
    Would this if statement be true for an empty string?
    How many times does the inner loop run when n is four?
    predict what happens if I call divide(1, 0)
    Read this snippet and tell me what it prints.
    what does the expression "5" + 3 evaluate to in JavaScript
    Which branch is taken when age is eighteen?
    What does this regular expression match: ^a+b$
    Tell me the return type of this method.
    what is len("hello world")
    After sorting, which element comes first in this array?
    What number does this recursive function give for six?
    does 0.1 + 0.2 == 0.3 in most languages
    is null equal to undefined with two equal signs
    If the list is empty, what does this code return?
    what will the variable total be at the end
    Trace the function by hand for the input "abba".
    What does the third line of this snippet do?
    what does !!"false" evaluate to
    Give the result of 7 // 2 and 7 % 2.
    Which of these two snippets prints more lines?
    what happens when this program gets the letter q
    What is printed first, A or B?
    Explain line by line what these four lines do.`),
  'small sums and dates': lines(`
    What is 15 percent of 240?
    convert 72 fahrenheit to celsius
    how many seconds are in a week
    What day of the week was the first of March 2020?
    add these up: 12.5, 8.25, 19 and 3
    What is 0x1F in decimal?
    how many days until the end of the year
    Convert 101101 from binary to decimal.
    what's the square root of 1764
    Round 3.14159 to two places.
    If it is 3 pm in London, what time is it in New York?
    how many megabytes are in 2.5 gigabytes
    What is the average of 4, 8, 15, 16, 23 and 42?
    Is 97 a prime number?
    how old is somebody born in 1987
    split a bill of 86 by four people
    What is 2 to the power of 16?
    which is larger, three eighths or two fifths
    what date is ninety days from today
    How many weeks are in 1,000 hours?
    the sum of all numbers from 1 to 100
    convert 5 feet 11 to centimetres
    What is the unix timestamp for midnight today?
    Is 2100 a leap year?
    factor 360 into primes
    What percentage of 80 is 52?
    how many minutes in 3.75 hours
    What is 1,234 times 56?
    greatest common divisor of 84 and 126
    what fraction is 0.125`),
  'changing a bit of text': lines(`
    Make this sentence shorter.
    write this word in capitals: important
    Fix the typo in "recieve".
    Reverse the string "stressed".
    say the same thing more politely
    Give me another word for big.
    how many words are in that paragraph
    Put these five names in alphabetical order.
    Change this sentence into the past tense.
    Turn the list into a sentence with commas.
    remove the duplicate words from this line
    Is it "affect" or "effect" here?
    Count the letter e in this sentence.
    Rewrite the second option so that it sounds friendlier.
    take out the exclamation marks
    Write the number 42 as a word.
    What is the plural of octopus?
    Repeat the last sentence.
    Make the title sound less formal.
    put quotes around every line
    Which of these two sentences sounds better?
    Translate "good evening" into Italian.
    Is there a comma missing in this sentence?
    give me three synonyms for fast
    Shorten my question to ten words.
    capitalize the first letter of each word
    What is a word that rhymes with light?
    Say that again but without the jargon.
    add an emoji at the end
    Replace every "foo" by "bar" in this line.`),
  'talking with the agent': lines(`
    Thanks, that was helpful.
    can you hear me
    Stop.
    What can you do?
    No, I meant the other one.
    go on
    Which model are you?
    Are you sure about that?
    please repeat your last answer
    ok sounds good, do it
    Never mind, I solved it myself.
    What did I ask you five minutes ago?
    why did you do that
    Try again.
    Could you be more brief from now on?
    yes
    Let's start over.
    how long will this take you
    I don't understand your answer.
    Do you remember what we said about the second point?
    wait for me, I'll be right back
    Good job!
    What do you need from me before you can begin?
    answer in German from now on
    Is that your final answer?
    you are wrong
    Explain that once more, but slower.
    skip this step
    Give me a moment to think.
    that's not what I wanted`),
  'running a command': lines(`
    run ls
    Which version of node is installed?
    Run the script and show me what it prints.
    what is my IP address
    How much disk space is left?
    kill the process on port 3000
    echo hello
    Is python on this machine?
    start the program again
    which shell am I using
    What is the value of the PATH variable?
    run make and tell me whether it worked
    How long has this computer been on?
    ping example.com three times
    Who am I logged in as?
    show the running processes
    Stop the server.
    what operating system is this
    set the variable DEBUG to 1 and run it again
    Clear the screen.
    how much memory is free
    What was the exit code of the last command?
    Press enter to go on.
    what time is it on this machine
    run it in the background
    Open a new terminal.
    Which user owns this file?
    repeat the last command
    Is anything listening on port 8080?
    cancel the command that is running`),
  'picking and comparing': lines(`
    Which of these two names is better, parseInput or readInput?
    Pick a random number between 1 and 10.
    Tabs or spaces?
    which option would you take
    Choose one of these three colours for me.
    Is it better to return null or an empty list here?
    heads or tails
    Which of the two is shorter?
    should I call the variable count or total
    Rank these five words by length.
    what's the best of the three
    Which one came first, Java or Python?
    Are these two lines the same?
    name one advantage of the first option
    Suggest a name for a variable that holds a user's age.
    Which is older, Linux or Windows?
    shuffle this list
    Is red or blue more common in flags?
    Give me an example of an even number.
    pick a winner from these names
    Should this be a class or a function? Just say which.
    A or B?
    Which of these numbers does not fit: 2, 4, 8, 15, 16?
    make up a password with twelve letters
    Invent a fake name for an example user.
    Which letter comes after Q?
    compare the two answers and say which you prefer
    roll two dice
    Tell me which of the files I named is the newer one.
    Would you rather use one loop or two?`),
  'one line of code': lines(`
    How do I write a for loop in C?
    declare a constant named max with the value ten
    print hello world in Python
    What is the operator for not equal in Lua?
    how do you write a comment in HTML
    Add one to the variable i.
    Import the math module.
    how to check the length of a string in Java
    Write an if statement that checks whether n is even.
    swap the values of a and b
    Which keyword defines a function in Rust?
    Convert the string "12" to a number in JavaScript.
    how do I get the last element of a list in Python
    Write a function that adds two numbers.
    what's the syntax for a ternary
    Return true if x is between 1 and 10.
    Add a missing semicolon at the end of line seven.
    Make an array with the numbers one to five.
    how do I concatenate two strings in PHP
    Rename the variable tmp to result.
    Put a blank line between these two functions.
    delete the unused import
    Turn this while loop into a for loop.
    How do I cast a float to an int in Go?
    Write a lambda that squares its argument.
    comment out line 14
    change the default value from 5 to 10
    Which symbol starts a comment in Ruby?
    Write a switch with three cases.
    add a print statement before the return`),
}

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
}
